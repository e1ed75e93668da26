/** What importing a `.wasm` file gives, in workerd and in the tests: the compiled module. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  // biome-ignore lint/style/noDefaultExport: the runtime exports the module so.
  export default module;
}
