import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#platform/config.ts'
import { makeFolder } from '#platform/private-files.ts'
import { StartError } from '#platform/start-error.ts'

export const KEY_BYTES = 32
const REMEDY = 'Put back your copy of it, or set MOORAGE_SECRET_KEY'

/** The secret keys in a list of base64 texts, separated by commas; null if one of them is not 32 bytes. */
export function keysIn(text: string): Buffer[] | null {
  const keys = text.split(',').map((part) => {
    const base64 = part.trim()
    // Node ignores characters that are not base64, so the result is compared with the text.
    const key = Buffer.from(base64, 'base64')
    return key.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '') ? key : null
  })
  return keys.every((key) => key?.length === KEY_BYTES) ? keys.flatMap((key) => key ?? []) : null
}

/**
 * The keys of an installation with an embedded database, stored beside the data that they protect. The first
 * start creates one. Throws a `StartError` if the file is damaged, and if it is missing beside a database: a
 * new key could not open its sealed texts.
 */
export function generatedKeys(dataDir: string): Buffer[] {
  const file = keyFile(dataDir)
  if (!fs.existsSync(file)) {
    if (fs.existsSync(path.join(dataDir, 'database', 'PG_VERSION'))) {
      throw new StartError(
        `The secret key ${file} is missing, and the database beside it was sealed with one. ${REMEDY}; without any copy, set MOORAGE_SECRET_KEY to a new key (openssl rand -base64 32) and MOORAGE_IGNORE_SEALED=on, and enter again what the old key had sealed.`,
      )
    }
    makeFolder(dataDir)
    writeKeys(file, newKey(), true)
  }
  const keys = keysIn(fs.readFileSync(file, 'utf8').trim())
  if (keys) return keys
  throw new StartError(
    `The secret key ${file} is damaged: it must hold 32 bytes in base64, or several such keys with commas. ${REMEDY}.`,
  )
}

/** Adds a new key before those of the data folder; returns the file with the keys. */
export function addGeneratedKey({ dataDir }: Pick<Config, 'dataDir'>): string {
  const file = keyFile(dataDir)
  writeKeys(file, [newKey(), fs.readFileSync(file, 'utf8').trim()].join(','), false)
  return file
}

/** Writes the file completely or not at all, and flushes it; an existing one is kept if `mustBeNew`. */
function writeKeys(file: string, keys: string, mustBeNew: boolean): void {
  const draft = `${file}.${process.pid}.new`
  fs.rmSync(draft, { force: true })
  fs.writeFileSync(draft, keys, { mode: 0o600, flag: 'wx', flush: true })
  try {
    if (mustBeNew) fs.linkSync(draft, file)
    else fs.renameSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
  const folder = fs.openSync(path.dirname(file), 'r')
  try {
    fs.fsyncSync(folder)
  } finally {
    fs.closeSync(folder)
  }
}

function keyFile(dataDir: string): string {
  return path.join(dataDir, 'secret.key')
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}
