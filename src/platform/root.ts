import { findPackageJSON } from 'node:module'
import path from 'node:path'

const packageFile = findPackageJSON(import.meta.url)
if (!packageFile) throw new Error(`No package.json above ${import.meta.filename}`)

/**
 * The folder of the whole project. What is read beside the code is found from here: a module that was
 * bundled stands somewhere else than its source.
 */
export const ROOT = path.dirname(packageFile)
