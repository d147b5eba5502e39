/** The little that is used of the library that reads fonts; it brings no types of its own. */
declare module 'fontkit' {
  export type Font = {
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): unknown
  }
  export function create(file: Uint8Array): Font
}
