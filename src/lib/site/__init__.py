"""What only the build of the site needs: Sphinx extensions, formulas, the landing page, tables, budgets."""
