import { findPackageJSON } from 'node:module'
import path from 'node:path'

const packageFile = findPackageJSON(import.meta.url)
if (!packageFile) throw new Error(`No package.json above ${import.meta.filename}`)

/**
 * The folder of the whole project. Files beside the code are found from here, because a bundled
 * module is in another place than its source.
 */
export const ROOT = path.dirname(packageFile)
