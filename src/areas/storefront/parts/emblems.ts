import { pageAssets } from '#platform/pages/assets.ts'
import { type Html, html } from '#platform/pages/html.ts'

const COLORS = ['#1f6f4a', '#2c4a78', '#8f3a22', '#2f7fa6', '#4a4a52', '#5b3fa0']

/** The picture of a product or category: `alt` is null if it is only decorative. */
export type Picture = {
  readonly url: string
  readonly width: number
  readonly height: number
  readonly alt: string | null
}

type Signed = { readonly slug: string; readonly name: string; readonly image?: Picture | null }

/** The sign of a game: its own picture, else our drawing if we know its slug, else its first letter. */
export function emblem({ slug, name, image }: Signed, size: number): Html {
  if (image) {
    return html`<span class="em"><img class="own" src="${image.url}" width="${size}" height="${size}" alt="${image.alt ?? ''}" decoding="async"></span>`
  }
  const { emblems } = pageAssets()
  const game = [...emblems.keys()].find((it) => isAbout(slug, it))
  const file = game && emblems.get(game)
  const sign = file
    ? html`<img src="${file.url}" width="${size}" height="${size}" alt="">`
    : letter([...name][0] ?? '?', slug, size)
  return html`<span class="em">${sign}</span>`
}

/** Voice servers go by the names of their programs. */
const VOICE: ReadonlySet<string> = new Set(['teamspeak', 'mumble'])

/** Whether a slug names a game: as one of its words, or, for longer names, as the beginning of a word. */
function isAbout(slug: string, game: string): boolean {
  return slug.split('-').some((word) => {
    if (game === 'voice' && VOICE.has(word)) return true
    return word === game || (game.length > 3 && word.startsWith(game))
  })
}

/** A picture in its own shape: its dimensions reserve the space before it is loaded. */
export function picture({ url, width, height, alt }: Picture, className: string): Html {
  return html`<img class="${className}" src="${url}" width="${width}" height="${height}" alt="${alt ?? ''}" decoding="async">`
}

function letter(first: string, slug: string, size: number): Html {
  const sum = [...slug].reduce((total, it) => total + (it.codePointAt(0) ?? 0), 0)
  const color = COLORS[sum % COLORS.length] ?? '#1f6f4a'
  return html`<svg width="${size}" height="${size}" viewBox="0 0 64 64" aria-hidden="true" focusable="false"><rect width="64" height="64" rx="14" fill="${color}"/><text x="32" y="43" text-anchor="middle" font-family="sans-serif" font-size="32" font-weight="600" fill="#fff">${first.toUpperCase()}</text></svg>`
}
