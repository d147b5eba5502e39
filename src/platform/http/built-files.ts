import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withoutEncodings } from './tags.ts'

/** `Cache-Control` of files whose names change with their content. */
export const FOREVER = 'public, max-age=31536000, immutable'
/** `Cache-Control` of files that a browser asks for again each time, and gets a 304 if they have not changed. */
export const REVALIDATED = 'public, no-cache'

type BuiltFile = {
  readonly folder: string
  /** The path of the file in the folder. */
  readonly name: string
  readonly cacheControl: string
}

/** Registers the library that `sendBuiltFile` uses. It gets no routes of its own. */
export async function sendBuiltFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, { serve: false, preCompressed: true, cacheControl: false })
}

/**
 * Sends a file of a build, or its compressed copy (`scripts/compressed.js`), with an ETag; 304 if the browser has it.
 * The caller checks the name.
 */
export function sendBuiltFile(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { folder, name, cacheControl }: BuiltFile,
): FastifyReply {
  const known = raw.headers['if-none-match']
  if (known) raw.headers['if-none-match'] = withoutEncodings(known)
  return reply.header('cache-control', cacheControl).sendFile(name, folder)
}
