/** Importing a `.wasm` file yields the compiled module, in workerd and in the tests. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  // biome-ignore lint/style/noDefaultExport: the runtime exports the module so.
  export default module;
}
