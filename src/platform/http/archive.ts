import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ZipFile } from 'yazl'
import type { Instant } from '#lib/time.ts'
import type { Deps } from '../deps.ts'

/** A plain file that its owner may change. */
const FILE_MODE = 0o100644

/** A file of an archive: its path in it, and its content in pieces. */
export type ArchivedFile = {
  readonly path: string
  readonly content: AsyncIterable<string | Uint8Array>
}

/** Files that are sent together. They all have the same time, so that the same content is the same archive. */
export type Archive = {
  /** The name of the file, without its extension. */
  readonly name: string
  readonly at: Instant
  readonly files: AsyncIterable<ArchivedFile>
}

/** Sends a ZIP archive while its files are read one after the other: it is never in memory as a whole. */
export async function sendArchive(
  { method }: Pick<FastifyRequest, 'method'>,
  reply: FastifyReply,
  { name, at, files }: Archive,
  log: Deps['log'],
): Promise<never> {
  reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${name}.zip"`)
    .serializer((it: Readable) => it as never)
  if (method === 'HEAD') return reply.send(Readable.from([])) as never
  const sent = new PassThrough()
  const zip = new ZipFile()
  zip.outputStream.pipe(sent)
  let reading: Readable | null = null
  const fail = (error: unknown) => {
    // A receiver that has disconnected is not an error.
    if (!sent.destroyed) log.error({ err: error }, `the archive ${name} could not be sent`)
    // The archive is incomplete, and must not look complete.
    sent.destroy(error as Error)
  }
  zip.on('error', fail)
  sent.once('close', () => reading?.destroy())
  const work = async () => {
    for await (const { path, content } of files) {
      if (sent.destroyed) return
      reading = Readable.from(content)
      // Listened to before it is read, so that an end is not missed.
      const read = finished(reading)
      const options = { mtime: new Date(at), mode: FILE_MODE, forceDosTimestamp: true }
      zip.addReadStream(reading, path, options)
      await read
    }
    zip.end()
  }
  work().catch(fail)
  return reply.send(sent) as never
}
