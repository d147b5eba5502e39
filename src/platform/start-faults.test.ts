import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseFault, folderFault } from './start-faults.ts'

const failed = (code: string) => Object.assign(new Error('failed'), { code })

const DATABASE = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ECONNRESET', '3D000', '28P01', '28000', '53300', '42501', '57P03', '53100'],
]

for (const code of DATABASE) {
  test(`a database that fails with ${code} is one sentence with the variable and a remedy`, () => {
    const fault = databaseFault(failed(code), 'postgres://shop:secret@db.example:5432/moorage')
    assert.match(
      fault?.message ?? '',
      /^DATABASE_URL: cannot use moorage on db\.example:5432 as shop: [^;.]+; [^.]+(?:\.conf[^.]+)?\.$/,
    )
  })
}

const FOLDER = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC', 'EDQUOT']

for (const code of [...FOLDER, 'ELOOP', 'EMFILE']) {
  test(`a data folder that fails with ${code} is one sentence with the variable and a remedy`, () => {
    const { message } = folderFault(failed(code), '/srv/moorage')
    assert.match(message, /^MOORAGE_DATA_DIR: \/srv\/moorage cannot be used: [^;.]+; [^.]+\.$/)
  })
}
