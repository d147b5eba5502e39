import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { DESK_LOCALES, LOCALES, type Locale } from '#lib/languages.ts'
import { ROOT } from '#platform/root.ts'
import { customerRoutes, deskRoutes } from '#test/desk-screens.ts'
import { type ApplicationFiles, FILES_FOLDER, readApplicationFiles } from './files.ts'
import { firstScreen } from './screens.ts'

const files = readApplicationFiles()
const skip = files === null
const KB = 1000
const FIRST = 190 * KB
const FURTHER = 40 * KB

const weights = new Map<string, number>()

/** The size of a built file as it is sent with gzip. */
function weightOf(url: string): number {
  const known = weights.get(url)
  if (known !== undefined) return known
  const weight = gzipSync(fs.readFileSync(path.join(FILES_FOLDER, path.basename(url)))).length
  weights.set(url, weight)
  return weight
}

function weigh(urls: Iterable<string>): number {
  return [...urls].reduce((sum, url) => sum + weightOf(url), 0)
}

/** The scripts of a screen: those that its page names, and those that it loads to be drawn. */
function scriptsOf(
  { script, scriptsOf: all }: ApplicationFiles,
  address: string,
  locale: Locale,
  modules: readonly string[] = [],
): ReadonlySet<string> {
  return new Set([script, ...all([...firstScreen(address, locale).modules, ...modules])])
}

/** The module of the texts of each area of the administration. */
function wordsOf(): ReadonlyMap<string, string> {
  const source = fs.readFileSync(path.join(ROOT, 'web/src/texts/en/admin.ts'), 'utf8')
  const found = source.matchAll(/ (\w+): async \(\) => \(await import\('\.\/([^']+)'\)\)/g)
  return new Map([...found].map(([, area = '', file = '']) => [area, `src/texts/en/${file}`]))
}

test('the entry, the styles and the styles in the page stay within their weight', { skip }, () => {
  assert.ok(files)
  const entry = weightOf(files.script)
  assert.ok(entry < 3 * KB, `entry: ${entry} bytes`)
  assert.ok(weigh(files.styles) < 25 * KB, `styles: ${weigh(files.styles)} bytes`)
  const inline = gzipSync(files.inlineStyle).length
  assert.ok(inline < 4 * KB, `styles in the page: ${inline} bytes`)
})

for (const [address, locales] of [
  ['/home', LOCALES],
  ['/admin', DESK_LOCALES],
] as const) {
  test(`the first screen ${address} has at most 190 kB of scripts and 12 requests, in every language`, {
    skip,
  }, () => {
    assert.ok(files)
    for (const locale of locales) {
      const scripts = scriptsOf(files, address, locale)
      const weight = weigh(scripts)
      assert.ok(weight < FIRST, `${locale}: ${weight} bytes of ${[...scripts]}`)
      // With the document and the font.
      const requests = 2 + scripts.size + files.styles.length
      assert.ok(requests <= 12, `${locale}: ${requests} requests, ${[...scripts]}`)
    }
  })
}

test('every further screen of the router adds at most 40 kB of scripts to the first one', {
  skip,
}, () => {
  assert.ok(files)
  const words = wordsOf()
  const areas = [
    { first: '/home', screens: customerRoutes().map((it) => ({ ...it, words: [] })) },
    { first: '/admin', screens: deskRoutes() },
  ]
  for (const { first, screens } of areas) {
    const before = scriptsOf(files, first, 'en')
    assert.ok(screens.length > 20, `${screens.length} screens`)
    for (const { path: address, module, words: named } of screens) {
      const texts = named.map((area) => {
        const file = words.get(area)
        assert.ok(file, `${address}: there are no texts ${area}`)
        return file
      })
      const isBuilt = (name: string) => files.scriptsOf([name]).length > files.scriptsOf([]).length
      // The script of a module that others import, too, is named by its file.
      const own = [module, path.parse(module).name].find(isBuilt)
      assert.ok(own, `${address}: ${module} is not built`)
      const added = [...scriptsOf(files, first, 'en', [own, ...texts])].filter(
        (it) => !before.has(it),
      )
      const weight = weigh(added)
      assert.ok(weight < FURTHER, `${address}: ${weight} bytes of ${added}`)
    }
  }
})
