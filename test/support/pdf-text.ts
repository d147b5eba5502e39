import { inflateSync } from 'node:zlib'

/** The text that a PDF of ours shows, a line for each piece it is drawn in. */
export function textOfPdf(file: Buffer): string {
  const objects = objectsOf(file)
  const maps = new Map<string, ReadonlyMap<string, string>>()
  for (const { about } of objects.values()) {
    for (const [, fonts = ''] of about.matchAll(/\/Font <<([^>]*)>>/g)) {
      for (const [, name = '', id = ''] of fonts.matchAll(/\/(\w+) (\d+) 0 R/g)) {
        const [, map = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.about ?? '') ?? []
        maps.set(name, charactersOf(objects.get(map)?.content ?? ''))
      }
    }
  }
  return [...objects.values()].map(({ content }) => shownBy(content, maps)).join('')
}

type PdfObject = { readonly about: string; readonly content: string }

function objectsOf(file: Buffer): Map<string, PdfObject> {
  const text = file.toString('latin1')
  const found = new Map<string, PdfObject>()
  for (const { 0: head, 1: id = '', index } of text.matchAll(/(\d+) 0 obj\n/g)) {
    const end = text.indexOf('\nendobj', index)
    const body = text.slice(index + head.length, end)
    const from = body.indexOf('stream\n')
    if (from < 0) {
      found.set(id, { about: body, content: '' })
      continue
    }
    const about = body.slice(0, from)
    const start = index + head.length + from + 'stream\n'.length
    const bytes = file.subarray(start, text.indexOf('\nendstream', start))
    const plain = about.includes('/FlateDecode') ? inflateSync(bytes) : bytes
    found.set(id, { about, content: plain.toString('latin1') })
  }
  return found
}

/** Which glyphs of a font stand for which characters, by its `ToUnicode` map. */
function charactersOf(map: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, first = '', , list = ''] of map.matchAll(
    /<([0-9a-f]+)> <([0-9a-f]+)> \[([^\]]*)\]/gi,
  )) {
    const start = Number.parseInt(first, 16)
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/gi)].entries()) {
      const glyph = (start + index).toString(16).padStart(4, '0')
      // A ligature stands for several characters, with a space between them.
      const units = Buffer.from(hex.replaceAll(' ', ''), 'hex')
      found.set(glyph, units.swap16().toString('utf16le'))
    }
  }
  return found
}

function shownBy(content: string, maps: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font: ReadonlyMap<string, string> = new Map()
  let shown = ''
  for (const [, name, pieces] of content.matchAll(/\/(\w+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name !== undefined) font = maps.get(name) ?? new Map()
    if (pieces === undefined) continue
    for (const [, hex = ''] of pieces.matchAll(/<([0-9a-f]+)>/gi)) {
      for (const [glyph] of hex.matchAll(/.{4}/g)) shown += font.get(glyph.toLowerCase()) ?? ''
    }
    shown += '\n'
  }
  return shown
}
