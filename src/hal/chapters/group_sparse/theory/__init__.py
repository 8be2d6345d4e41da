"""Theory that this chapter alone draws; that of two scalars and the late laws are in `lib.theory.group_sparse`."""
