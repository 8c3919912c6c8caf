declare module '@mozilla/readability/JSDOMParser.js' {
  /** The small DOM that comes with Readability. */
  export default class JSDOMParser {
    parse(html: string): Document
  }
}
