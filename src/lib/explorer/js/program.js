// A program put together from its modules: [name, function of all modules before it]. Called, it gives all by their
// names; as text it is the same program, for a worker.

function makeProgram(modules) {
  function program() {
    const portable = {};
    for (const [name, make] of modules) portable[name] = make(portable);
    return portable;
  }
  const line = ([name, make]) => `portable[${JSON.stringify(name)}] = (${make})(portable);`;
  program.toString = () => `() => {\nconst portable = {};\n${modules.map(line).join("\n")}\nreturn portable;\n}`;
  return program;
}
