import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { ROOT } from '../root.ts'
import { Html } from './html.ts'

/** A file that pages load: named by its content, so that browsers may keep it for ever. */
export type Asset = {
  readonly name: string
  readonly url: string
  readonly type: string
  readonly content: Buffer
  /** Prepared once at the start; null where compressing brings nothing. */
  readonly compressed: { readonly br: Buffer; readonly gzip: Buffer } | null
}

/** The files of all server-rendered pages. */
export type PageAssets = {
  readonly font: Asset
  /** The rule that loads the font; the styles of pages begin with it. */
  readonly fontFace: string
  readonly storeStyle: Asset
  readonly pathStyle: Asset
  readonly storeScript: Asset
  readonly pathScript: Asset
  /** Offers a passkey on the pages that have a form for one. */
  readonly passkeyScript: Asset
  /** The signs of games, by the slug of the game. */
  readonly emblems: ReadonlyMap<string, Asset>
  /** The picture of the shop window, to stand in a page: its flag has the colour of the brand. */
  readonly island: Html
  /** Every asset by its file name. */
  readonly byName: ReadonlyMap<string, Asset>
}

const FOLDER = path.join(ROOT, 'src/platform/pages/assets')
const FONT = '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2'

let loaded: PageAssets | null = null

/** The files of the pages, read and compressed at the first call. */
export function pageAssets(): PageAssets {
  loaded ??= load()
  return loaded
}

function load(): PageAssets {
  const fontFile = createRequire(path.join(ROOT, 'package.json')).resolve(FONT)
  const font = assetOf('geist.woff2', 'font/woff2', fs.readFileSync(fontFile))
  const fontFace = `@font-face{font-family:'Geist Variable';font-weight:100 900;font-display:swap;src:url(${font.url}) format('woff2')}`
  const style = (name: string) =>
    assetOf(name, 'text/css; charset=utf-8', fontFace + read('tokens.css') + read(name))
  const script = (name: string) => assetOf(name, 'text/javascript; charset=utf-8', read(name))
  const assets = {
    font,
    storeStyle: style('store.css'),
    pathStyle: style('path.css'),
    storeScript: script('store.js'),
    pathScript: script('path.js'),
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

const EMBLEMS = ['minecraft', 'valheim', 'rust', 'palworld', 'factorio', 'terraria']

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
