/** The few types that we use of the library that reads fonts; it has no types of its own. */
declare module 'fontkit' {
  export type Glyph = { readonly id: number; readonly codePoints: readonly number[] }
  export type Subset = { includeGlyph(id: number): number; encode(): Uint8Array }
  export type Font = {
    readonly characterSet: readonly number[]
    readonly ascent: number
    readonly unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    glyphForCodePoint(codePoint: number): Glyph
    layout(text: string): unknown
    createSubset(): Subset
  }
  export function create(file: Uint8Array): Font
}
