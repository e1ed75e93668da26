/** Documents as text, where a test inside workerd needs one: there is no file system. The query is the bundler's word. */

declare module "*.md?raw" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how the bundler exports it.
  export default text;
}
