// @ts-check
// JavaScript, so that `npm ci` on an older runtime gets as far as it does without the application.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compressFiles } from '../scripts/compressed.js'

/** Builds the application for the browser into `web/dist`, unless its sources are those of the last build. */
// It stands beside the packages that it builds with.
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const origin = path.join(root, 'web/dist/.origin')
const SOURCES = [
  ...['web/src', 'client/src', 'src/platform/pages/assets/tokens.css'],
  'src/platform/pages/colors.ts',
  ...['src/lib/currencies.ts', 'src/lib/languages.ts'],
  ...['web/build.js', 'web/vite.config.ts', 'web/package.json', 'package-lock.json'],
  'scripts/compressed.js',
]

const digest = digestOf(SOURCES.flatMap(filesOf))
if (fs.existsSync(origin) && fs.readFileSync(origin, 'utf8') === digest) process.exit(0)
const vite = await import('vite').catch(() => null)
if (vite) {
  await vite.build({ configFile: path.join(root, 'web/vite.config.ts'), logLevel: 'warn' })
  await compressFiles(path.join(root, 'web/dist/assets'))
  fs.writeFileSync(origin, digest)
} else {
  console.log('Without the package vite the customer area is not built.')
}

/** @param {string} name a file, or a folder with all that is in it */
function filesOf(name) {
  if (!fs.statSync(path.join(root, name)).isDirectory()) return [name]
  return fs
    .readdirSync(path.join(root, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort()
}

/** @param {string[]} names */
function digestOf(names) {
  const hash = createHash('sha256')
  for (const name of names) hash.update(`${name}\n`).update(fs.readFileSync(path.join(root, name)))
  return hash.digest('hex')
}
