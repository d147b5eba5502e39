import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { ROOT } from '../root.ts'
import { Html } from './html.ts'

/** A file that pages load. Its name depends on its content, so that browsers may keep it forever. */
export type Asset = {
  readonly name: string
  readonly url: string
  readonly type: string
  readonly content: Buffer
  /** Compressed once at the start; null if compression saves nothing. */
  readonly compressed: { readonly br: Buffer; readonly gzip: Buffer } | null
}

/** The files of all server-rendered pages. */
export type PageAssets = {
  readonly font: Asset
  /** The rule that loads the font; it is at the beginning of the pages' styles. */
  readonly fontFace: string
  readonly storeStyle: Asset
  readonly pathStyle: Asset
  readonly storeScript: Asset
  readonly pathScript: Asset
  /** Offers a passkey on pages with a form for one. */
  readonly passkeyScript: Asset
  /** The emblems of games, by the slug of the game. */
  readonly emblems: ReadonlyMap<string, Asset>
  /** The picture of the shop window, inlined in the page because its flag has the colour of the brand. */
  readonly island: Html
  /** Every asset by its file name. */
  readonly byName: ReadonlyMap<string, Asset>
}

const FOLDER = path.join(ROOT, 'src/platform/pages/assets')
const FONTS = '@fontsource-variable/geist/files'
/** The letters of `latin-ext`, as the package lists them; a browser loads the file only for a page with one of them. */
const MORE_LETTERS = [
  ...['U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329'],
  ...['U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F'],
  'U+A720-A7FF',
].join(',')

let loaded: PageAssets | null = null

/** The files of the pages, read and compressed at the first call. */
export function pageAssets(): PageAssets {
  loaded ??= load()
  return loaded
}

function load(): PageAssets {
  const { resolve } = createRequire(path.join(ROOT, 'package.json'))
  const fontOf = (name: string, part: string) => {
    const file = resolve(`${FONTS}/geist-${part}-wght-normal.woff2`)
    return assetOf(name, 'font/woff2', fs.readFileSync(file))
  }
  const font = fontOf('geist.woff2', 'latin')
  const moreLetters = fontOf('geist-ext.woff2', 'latin-ext')
  const fontFace = faceOf(font) + faceOf(moreLetters, `;unicode-range:${MORE_LETTERS}`)
  const style = (name: string) =>
    assetOf(name, 'text/css; charset=utf-8', fontFace + read('tokens.css') + read(name))
  const script = (name: string, before = '') =>
    assetOf(name, 'text/javascript; charset=utf-8', before + read(name))
  const forms = `${read('forms.js')}\n`
  const assets = {
    font,
    moreLetters,
    storeStyle: style('store.css'),
    pathStyle: style('path.css'),
    storeScript: script('store.js', forms),
    pathScript: script('path.js', forms),
    passkeyScript: script('passkey.js'),
  }
  const emblems = new Map(
    EMBLEMS.map((game) => {
      const file = `emblems/${game}.svg`
      return [game, assetOf(file, 'image/svg+xml', read(file))] as const
    }),
  )
  const all = [...Object.values(assets), ...emblems.values()]
  return {
    ...{ ...assets, fontFace, emblems, island: new Html(read('island.svg').trim()) },
    byName: new Map(all.map((it) => [it.name, it])),
  }
}

/** A rule that loads a file of the font; if two files contain a letter, the last one counts. */
function faceOf({ url }: Asset, range = ''): string {
  return `@font-face{font-family:'Geist Variable';font-weight:100 900;font-display:swap;src:url(${url}) format('woff2')${range}}`
}

const EMBLEMS = ['minecraft', 'valheim', 'rust', 'palworld', 'factorio', 'terraria', 'ark', 'voice']

function read(name: string): string {
  return fs.readFileSync(path.join(FOLDER, name), 'utf8')
}

function assetOf(file: string, type: string, body: string | Buffer): Asset {
  const content = Buffer.from(body)
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 12)
  const extension = path.extname(file)
  const name = `${path.basename(file, extension)}-${digest}${extension}`
  const compressed =
    extension === '.woff2'
      ? null
      : { br: brotliCompressSync(content), gzip: gzipSync(content, { level: 9 }) }
  return { name, url: `/assets/${name}`, type, content, compressed }
}
