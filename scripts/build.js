// @ts-check
// JavaScript, so that `npm ci` on an older runtime gets as far as it does without a bundle.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestOf, statesOf, writeOrigin } from '../src/bundle.js'

/**
 * Makes one bundle of the service and of the packages that are JavaScript alone, so that a start reads a
 * few files instead of thousands (decision 55). It stands in `dist` in a folder of its own: whatever runs
 * from another one keeps it.
 */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const dist = path.join(root, 'dist')
const KEPT_MS = 24 * 60 * 60 * 1000

/** What is no JavaScript, reads files beside itself, or is loaded only by those who use it. */
const EXTERNAL = [
  '@electric-sql/pglite',
  '@node-rs/argon2',
  '@node-rs/bcrypt',
  '@simplewebauthn/server',
  'fontkit',
  'oidc-provider',
  'pdfkit',
  'pg-native',
]

/**
 * Who imports `node:http` as a module has all it exports read, and with it all of `fetch` loaded. Whoever
 * requires it has not.
 * @type {import('esbuild').Plugin}
 */
const withoutFacade = {
  name: 'without-facade',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?http$/ }, () => ({ path: 'http', namespace: 'built-in' }))
    onLoad({ filter: /./, namespace: 'built-in' }, () => ({
      contents: `module.exports = process.getBuiltinModule('node:http')`,
    }))
  },
}

const bundler = await import('esbuild').catch(() => null)
if (bundler) await build(bundler)
else console.log('Without the package esbuild there is no bundle: Moorage runs from its sources.')

/** @param {typeof import('esbuild')} esbuild */
async function build(esbuild) {
  // Before they are read: what is edited meanwhile makes this bundle one of other sources.
  const names = ['package.json', 'package-lock.json', ...sources()]
  const files = statesOf(root, names)
  const digest = digestOf(root, names)
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: 'dist/made',
    chunkNames: '[name]-[hash]',
    external: EXTERNAL,
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24' },
    // Packages in CommonJS ask for what Node brings.
    banner: {
      js: `import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);`,
    },
    ...{ sourcemap: 'linked', sourcesContent: false, legalComments: 'none' },
    ...{ write: false, metafile: true, logLevel: 'warning' },
    plugins: [withoutFacade],
  })
  const known = new Set(names)
  const unknown = Object.keys(metafile.inputs).filter(
    (it) => !/^(?:node_modules\/|built-in:)/.test(it) && !known.has(it),
  )
  if (unknown.length > 0) throw new Error(`Of the bundle, and not looked after: ${unknown}`)
  const folder = place(outputFiles)
  writeOrigin(root, { folder, digest, files })
  removeOld(folder)
  compile()
}

/** The files below `src` that a bundle may be made of. */
function sources() {
  return fs
    .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((it) => /\.(?:ts|json)$/.test(it) && !it.endsWith('.test.ts') && !it.endsWith('.d.ts'))
    .map((it) => path.join('src', it))
    .sort()
}

/**
 * Writes the files into a folder that is named after them, in one step.
 * @param {import('esbuild').OutputFile[]} outputFiles
 */
function place(outputFiles) {
  const hash = createHash('sha256')
  for (const { path: file, hash: content } of outputFiles) {
    hash.update(`${path.basename(file)} ${content}\n`)
  }
  const folder = hash.digest('hex').slice(0, 16)
  fs.mkdirSync(dist, { recursive: true })
  const made = fs.mkdtempSync(path.join(dist, '.made-'))
  fs.chmodSync(made, 0o755)
  for (const { path: file, contents } of outputFiles) {
    fs.writeFileSync(path.join(made, path.basename(file)), contents)
  }
  try {
    fs.renameSync(made, path.join(dist, folder))
  } catch {
    // The very same is there.
    fs.rmSync(made, { recursive: true })
    fs.utimesSync(path.join(dist, folder), new Date(), new Date())
  }
  return folder
}

/**
 * Removes bundles that were made a while ago; a process that runs may still read one of today.
 * @param {string} current
 */
function removeOld(current) {
  for (const name of fs.readdirSync(dist)) {
    const folder = path.join(dist, name)
    const { mtimeMs } = fs.statSync(folder)
    if (name === current || Date.now() - mtimeMs < KEPT_MS) continue
    fs.rmSync(folder, { recursive: true })
  }
}

/** Has a process of the same user find its code compiled at its first start. */
function compile() {
  spawnSync(process.execPath, [path.join(root, 'src/main.js'), 'openapi'], { stdio: 'ignore' })
}
