// @ts-check
import fs from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/**
 * Writes the compressed forms of a file next to it, `.br` and `.gzip`, which the service sends as they are.
 *
 * @param {string} file
 * @param {Buffer} content
 */
export async function writeCompressed(file, content) {
  replace(`${file}.br`, await promisify(brotliCompress)(content, BROTLI))
  replace(`${file}.gzip`, await promisify(gzip)(content, { level: 9 }))
}

/**
 * Writes a file as a whole or not at all.
 *
 * @param {string} file
 * @param {Buffer} content
 */
export function replace(file, content) {
  fs.writeFileSync(`${file}.part`, content)
  fs.renameSync(`${file}.part`, file)
}
