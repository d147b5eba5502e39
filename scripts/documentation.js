// @ts-check
// JavaScript, so that `npm ci` on an older runtime gets as far as it does without the documentation.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compressFiles } from './compressed.js'

/**
 * Builds the documentation in `docs` into the static site that the service serves at `/docs`. Does nothing
 * if the site was built from the same files. With `--optional` (in `npm ci`), a failure is only reported.
 */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const docs = path.join(root, 'docs')
const site = path.join(docs, '.vitepress/dist')
const stamp = path.join(site, 'sources.txt')
const isOptional = process.argv.includes('--optional')

const generator = await import('vitepress').catch(() => null)
if (!generator) {
  console.log('The documentation was not built: the package vitepress is not installed.')
  process.exitCode = isOptional ? 0 : 1
} else {
  const digest = digestOfSources()
  if (digest === builtFrom()) console.log('The documentation is up to date.')
  else await build(generator, digest).catch(report)
}

/**
 * @param {typeof import('vitepress')} vitepress
 * @param {string} digest
 */
async function build(vitepress, digest) {
  const outDir = fs.mkdtempSync(path.join(docs, '.vitepress/.build-'))
  try {
    await vitepress.build(docs, { outDir })
    fs.writeFileSync(path.join(outDir, 'policy.json'), JSON.stringify(inlineScripts(outDir)))
    await compressFiles(outDir)
    fs.writeFileSync(path.join(outDir, path.basename(stamp)), digest)
    fs.chmodSync(outDir, 0o755)
    fs.rmSync(site, { recursive: true, force: true })
    fs.renameSync(outDir, site)
  } finally {
    fs.rmSync(outDir, { recursive: true, force: true })
  }
}

/** @param {unknown} error */
function report(error) {
  if (!isOptional) throw error
  const reason = error instanceof Error ? error.message : String(error)
  console.log(`The documentation was not built: ${reason}. "npm run docs" tries again.`)
}

/** What the site is built from: the pages, the configuration and the generator's version. */
function digestOfSources() {
  const hash = createHash('sha256')
  const names = fs
    .readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter(
      (it) =>
        /\.(?:md|ts)$/.test(it) &&
        !/^(?:\.reference|\.vitepress\/(?:dist|cache|\.build-))/.test(it),
    )
    .map((it) => path.join('docs', it))
  for (const name of [
    ...names.sort(),
    'SECURITY.md',
    'package-lock.json',
    'scripts/documentation.js',
    'scripts/compressed.js',
  ]) {
    hash.update(`${name}\0`).update(fs.readFileSync(path.join(root, name)))
  }
  return hash.digest('hex')
}

function builtFrom() {
  try {
    return fs.readFileSync(stamp, 'utf8')
  } catch {
    return null
  }
}

/**
 * The hashes of the scripts that stand inside pages, for the content security policy.
 * @param {string} folder
 */
function inlineScripts(folder) {
  const hashes = new Set()
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.html')) continue
    const page = fs.readFileSync(path.join(folder, name), 'utf8')
    for (const [, script = ''] of page.matchAll(
      /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g,
    )) {
      hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    }
  }
  return [...hashes].sort()
}
