// @ts-check
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const COMPRESSIBLE = /\.(?:css|html|js|json|md|svg)$/
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/**
 * Writes a compressed copy beside each text file of a built folder, `.br` and `.gz`: `@fastify/static` sends those.
 *
 * @param {string} folder
 */
export async function compressFiles(folder) {
  for (const name of await fs.readdir(folder, { recursive: true })) {
    if (!COMPRESSIBLE.test(name)) continue
    const file = path.join(folder, name)
    const content = await fs.readFile(file)
    await fs.writeFile(`${file}.br`, await promisify(brotliCompress)(content, BROTLI))
    await fs.writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}
