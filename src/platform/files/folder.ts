import { createHash, randomUUID } from 'node:crypto'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { isMissing, makeFolder } from '../private-files.ts'
import { reasonOf } from '../start-error.ts'
import { assertKey, type Files, FilesUnusable, type StoredFile } from './index.ts'

const MAX_PIECE_BYTES = 512 << 10

/**
 * Files in a folder of this machine, or one that several machines share. A file is written beside
 * its place, flushed to the disk and then renamed: a reader sees all of it or nothing, even after a
 * loss of power. A write that fails, for example on a full disk, throws and leaves nothing behind.
 */
export function filesIn(folder: string): Files {
  function placeOf(key: string): string {
    assertKey(key)
    return path.join(folder, ...key.split('/'))
  }
  return {
    async put(key, content) {
      const place = placeOf(key)
      await fs.mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
      // A unique name for every attempt: two processes that store the same file do not write into each other's.
      const partial = `${place}.${randomUUID()}.partial`
      try {
        const stored = await write(partial, content)
        await fs.rename(partial, place)
        await flushFolder(path.dirname(place))
        return stored
      } catch (error) {
        await fs.rm(partial, { force: true })
        throw error
      }
    },
    async get(key) {
      try {
        return await contentOf(await fs.open(placeOf(key), 'r'))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async exists(key) {
      try {
        await fs.access(placeOf(key))
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
    async delete(key) {
      await fs.rm(placeOf(key), { force: true })
    },
    async check() {
      const trial = path.join(folder, `check-${randomUUID()}`)
      try {
        makeFolder(folder)
        await write(trial, Buffer.from('check'))
      } catch (error) {
        throw new FilesUnusable(
          `FILES_URL: files cannot be kept in the folder ${folder}: ${reasonOf(error)}.`,
          { cause: error },
        )
      } finally {
        await fs.rm(trial, { force: true }).catch(() => {})
      }
    },
  }
}

/** Reading a large file in pieces of this size is faster than in Node's default of 64 KB. */
async function contentOf(handle: FileHandle): Promise<Readable> {
  try {
    const { size } = await handle.stat()
    return handle.createReadStream({ highWaterMark: Math.min(size + 1, MAX_PIECE_BYTES) })
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function write(
  place: string,
  content: Buffer | AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const handle = await fs.open(place, 'wx', 0o600)
  try {
    for await (const piece of Buffer.isBuffer(content) ? [content] : content) {
      hash.update(piece)
      sizeBytes += piece.length
      await handle.writeFile(piece)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { sizeBytes, sha256: hash.digest() }
}

/** A new name is durable only once its folder is flushed. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
