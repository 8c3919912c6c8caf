declare module '@mozilla/readability/JSDOMParser.js' {
  /** The small DOM parser that is part of Readability. */
  export default class JSDOMParser {
    parse(html: string, url?: string): Document
  }
}
