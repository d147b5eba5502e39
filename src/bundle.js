// @ts-check
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * What a bundle was made of, as `dist/bundle.json` keeps it.
 * @typedef {object} Origin
 * @property {string} folder Where the bundle is, below `dist`.
 * @property {string} digest Of the names and the contents of all files.
 * @property {Record<string, FileState>} files By their paths below the project's folder.
 *
 * The size, and when it was written, in milliseconds.
 * @typedef {[bytes: number, writtenMs: number]} FileState
 */

const SECOND_MS = 1000

/**
 * The folder of the bundle that was made of the very sources that are there now; null when there is
 * none. It takes a few milliseconds.
 * @param {string} root The project's folder.
 * @returns {string | null}
 */
export function bundleOf(root) {
  try {
    const origin = readOrigin(root)
    const folder = path.join(root, 'dist', origin.folder)
    if (!fs.existsSync(folder)) return null
    if (areUntouched(root, origin.files)) return folder
    const names = Object.keys(origin.files)
    // Copied, or checked out and back: read once, and known by its times from then on.
    const states = statesOf(root, names)
    if (digestOf(root, names) !== origin.digest) return null
    writeOrigin(root, { ...origin, files: states })
    return folder
  } catch {
    return null
  }
}

/**
 * @param {string} root
 * @returns {Origin}
 */
function readOrigin(root) {
  return JSON.parse(fs.readFileSync(path.join(root, 'dist/bundle.json'), 'utf8'))
}

/**
 * Keeps what a bundle was made of, unless nothing may be written there. Whoever reads it meanwhile
 * reads the one before.
 * @param {string} root
 * @param {Origin} origin
 */
export function writeOrigin(root, origin) {
  const file = path.join(root, 'dist/bundle.json')
  const written = `${file}.${process.pid}`
  try {
    fs.writeFileSync(written, JSON.stringify(origin))
    fs.renameSync(written, file)
  } catch {
    fs.rmSync(written, { force: true })
  }
}

/**
 * @param {string} root
 * @param {Record<string, FileState>} files
 */
function areUntouched(root, files) {
  for (const [name, [bytes, writtenMs]] of Object.entries(files)) {
    const { size, mtimeMs } = fs.statSync(`${root}/${name}`)
    if (size !== bytes) return false
    // Archives and images keep whole seconds.
    if (mtimeMs !== writtenMs && mtimeMs !== writtenMs - (writtenMs % SECOND_MS)) return false
  }
  return true
}

/**
 * @param {string} root
 * @param {readonly string[]} names
 * @returns {Record<string, FileState>}
 */
export function statesOf(root, names) {
  return Object.fromEntries(
    names.map((name) => {
      const { size, mtimeMs } = fs.statSync(path.join(root, name))
      return [name, [size, mtimeMs]]
    }),
  )
}

/**
 * @param {string} root
 * @param {readonly string[]} names
 * @returns {string}
 */
export function digestOf(root, names) {
  const hash = createHash('sha256')
  for (const name of names) {
    hash.update(`${name}\n`)
    hash.update(
      createHash('sha256')
        .update(fs.readFileSync(path.join(root, name)))
        .digest(),
    )
  }
  return hash.digest('hex')
}
