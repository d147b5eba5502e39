/** A colour by lightness (0–1), chroma and hue (radians), whose steps look even to the eye. */
export type Oklch = { readonly l: number; readonly c: number; readonly h: number }

type Scheme = 'light' | 'dark'

/** The colours of pages in one scheme, derived from the brand's one colour. */
export type BrandColors = {
  /** For buttons, and for the text on them. */
  readonly fill: string
  readonly on: string
  readonly hover: string
  /** For links and other text. */
  readonly text: string
  /** For focus rings and borders of selected elements. */
  readonly line: string
  /** The background of selected elements. */
  readonly soft: string
}

const DEFAULT = '#3355ff'
const COLOR = /^#[0-9a-f]{6}$/i
const WHITE = '#ffffff'
const BLACK = '#0b0c0f'
/** The backgrounds on which brand colours are used; `tokens.css` has the same. */
const GROUNDS: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#ffffff', '#f5f6f8'],
  dark: ['#0b0c0f', '#131418', '#1b1d22'],
}
/** The contrast that WCAG 2.2 AA requires: for text, slightly more because backgrounds may be mixed; for graphics. */
const TEXT_RATIO = 4.7
const BUTTON_RATIO = 4.5
const GRAPHIC_RATIO = 3

/**
 * The colours of a brand's pages, light and dark, from its one colour (`#rrggbb`; anything else counts as
 * the default). Each is adjusted until its contrast suffices, so any colour may be entered.
 */
export function brandColors(color: string | undefined): Readonly<Record<Scheme, BrandColors>> {
  const hex = color && COLOR.test(color) ? color.toLowerCase() : DEFAULT
  return { light: colorsFor(hex, 'light'), dark: colorsFor(hex, 'dark') }
}

/** The brand's colours as custom properties that follow the colour scheme of the page. */
export function brandStyle(color: string | undefined): string {
  const { light, dark } = brandColors(color)
  const names = Object.entries(PROPERTIES) as [keyof BrandColors, string][]
  const properties = names.map(([key, name]) => `${name}:light-dark(${light[key]},${dark[key]})`)
  return `:root{${properties.join(';')}}`
}

const PROPERTIES: Readonly<Record<keyof BrandColors, string>> = {
  fill: '--brand',
  on: '--on-brand',
  hover: '--brand-hover',
  text: '--brand-text',
  line: '--brand-line',
  soft: '--brand-soft',
}

function colorsFor(hex: string, scheme: Scheme): BrandColors {
  const own = oklchOf(hex)
  const isLight = scheme === 'light'
  const chroma = Math.min(own.c, 0.2)
  const soft = hexOf(
    isLight ? { l: 0.962, c: chroma * 0.16, h: own.h } : { l: 0.27, c: chroma * 0.38, h: own.h },
  )
  const step = isLight ? -0.005 : 0.005
  const start = { l: isLight ? 0.72 : 0.55, c: Math.min(own.c, 0.21), h: own.h }
  return {
    ...buttonColors(hex, scheme),
    text: legible(start, { step, grounds: [...GROUNDS[scheme], soft], ratio: TEXT_RATIO }),
    line: legible(own, { step, grounds: GROUNDS[scheme], ratio: GRAPHIC_RATIO }),
    soft,
  }
}

/** The brand's colour itself, unless it is hardly visible on its background: navy on black, cream on white. */
function buttonColors(hex: string, scheme: Scheme): Pick<BrandColors, 'fill' | 'on' | 'hover'> {
  const own = oklchOf(hex)
  let fill = hex
  if (scheme === 'dark' && contrast(hex, '#131418') < 2.2) {
    fill = legible(own, { step: 0.01, grounds: ['#131418'], ratio: 2.4 })
  }
  if (scheme === 'light' && contrast(hex, WHITE) < 1.2) {
    fill = legible(own, { step: -0.01, grounds: [WHITE], ratio: 1.35 })
  }
  let on = BLACK
  if (contrast(fill, WHITE) >= BUTTON_RATIO) on = WHITE
  else if (contrast(fill, WHITE) >= GRAPHIC_RATIO) {
    // People expect white on red or blue, so the colour becomes darker to make it legible, but only slightly.
    const darker = legible(oklchOf(fill), { step: -0.005, grounds: [WHITE], ratio: 4.55 })
    if (oklchOf(fill).l - oklchOf(darker).l < 0.09) [fill, on] = [darker, WHITE]
  }
  const { l, c, h } = oklchOf(fill)
  const hover = hexOf({ c, h, l: on === WHITE ? l - 0.045 : Math.min(0.97, l + 0.035) })
  return { fill, on, hover: contrast(hover, on) >= BUTTON_RATIO ? hover : fill }
}

type Search = { step: number; grounds: readonly string[]; ratio: number }

/** Changes the lightness in small steps until the contrast with each background suffices. */
function legible(from: Oklch, { step, grounds, ratio }: Search): string {
  for (let l = from.l; l > 0 && l < 1; l += step) {
    const hex = hexOf({ ...from, l })
    if (grounds.every((ground) => contrast(hex, ground) >= ratio)) return hex
  }
  return step < 0 ? '#000000' : WHITE
}

/** The contrast of two colours, 1 to 21 (WCAG 2, relative luminance). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = linearOf(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linearOf(hex: string): readonly [number, number, number] {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** Oklab by Björn Ottosson (https://bottosson.github.io/posts/oklab/), in polar form. */
function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearOf(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return { l: lightness, c: Math.hypot(a, bb), h: Math.atan2(bb, a) }
}

const CHROMA_STEP = 0.004
const TOLERANCE = 0.0005

/** The nearest sRGB colour: it reduces chroma, but never changes lightness, on which the contrast depends. */
function hexOf({ l, c, h }: Oklch): string {
  for (let chroma = c; ; chroma -= CHROMA_STEP) {
    const channels = channelsOf({ l, c: Math.max(chroma, 0), h })
    const fits = channels.every((it) => it > -TOLERANCE && it < 1 + TOLERANCE)
    if (fits || chroma <= 0) return `#${channels.map(byteOf).join('')}`
  }
}

function channelsOf({ l, c, h }: Oklch): readonly number[] {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function byteOf(linear: number): string {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0')
}
