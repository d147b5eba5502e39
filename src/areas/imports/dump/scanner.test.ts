import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DumpFault } from './fault.ts'
import { type DumpListener, DumpScanner } from './scanner.ts'

type Told = {
  rows: { table: string; columns: readonly string[] | null; cells: (string | null)[] }[]
  counted: Record<string, number>
  tables: Record<string, readonly string[]>
  statements: string[]
  whole: boolean
  bytes: number
}

/** What a dump tells when it comes in pieces of a size. */
function read(dump: string | Buffer, size = 1 << 16, wanted = (_: string) => true): Told {
  const told: Told = { rows: [], counted: {}, tables: {}, statements: [], whole: false, bytes: 0 }
  const listener: DumpListener = {
    insert: ({ table }) => wanted(table),
    row(row, { table, columns }) {
      const cells = Array.from({ length: row.count }, (_, column) =>
        row.isExpression(column) ? '<expression>' : row.text(column),
      )
      told.rows.push({ table, columns, cells })
    },
    counted({ table }, rows) {
      told.counted[table] = (told.counted[table] ?? 0) + rows
    },
    table(name, columns) {
      told.tables[name] = columns
    },
    statement(words) {
      told.statements.push(words)
    },
  }
  const scanner = new DumpScanner(listener)
  const bytes = Buffer.from(dump)
  for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size))
  told.whole = scanner.end()
  told.bytes = scanner.byte
  return told
}

function cellsOf(values: string): (string | null)[] | undefined {
  return read(`INSERT INTO t VALUES (${values});\n`).rows[0]?.cells
}

const values: [string, (string | null)[]][] = [
  [`1,-2,+3,.5,1e3,-0.50,0`, ['1', '-2', '+3', '.5', '1e3', '-0.50', '0']],
  [`NULL, null ,TRUE,false`, [null, null, '1', '0']],
  [`'it''s','it\\'s',"she ""said""","a\\"b"`, [`it's`, `it's`, 'she "said"', 'a"b']],
  [`'\\\\','\\n\\t\\r\\b\\Z','\\%\\_\\q'`, ['\\', '\n\t\r\b\x1a', '\\%\\_q']],
  [`'a' 'b'\n'c'`, ['abc']],
  [`_utf8'x', _binary 'y',N'z',n'w', _utf8mb4 X'41'`, ['x', 'y', 'z', 'w', 'A']],
  [`X'4D79',x'',0x4D79,b'1000001',0b1000001`, ['My', '', 'My', 'A', 'A']],
  [`''`, ['']],
  [`NOW(),1+1,DEFAULT,LOAD_FILE('/etc/passwd'),(1)`, Array(5).fill('<expression>')],
  [`/* a ',' */ 1 -- b\n,# c )\n 2 /*!40000 ,3 */`, ['1', '2', '3']],
  [`');INSERT INTO t VALUES (1',2`, [`);INSERT INTO t VALUES (1`, '2']],
  [`'2020-00-00',- 5`, ['2020-00-00', '<expression>']],
]

for (const [text, cells] of values) {
  test(`the values ${JSON.stringify(text)} are read as MySQL means them`, () => {
    assert.deepEqual(cellsOf(text), cells)
  })
}

const heads: [string, string, string[] | null][] = [
  ['insert ignore into `a``b` values (1)', 'a`b', null],
  ['REPLACE INTO `db`.`t` (`x`, y) VALUE (1,2)', 't', ['x', 'y']],
  ['INSERT LOW_PRIORITY t(x)VALUES(1)', 't', ['x']],
  ['INSERT INTO "t" ("x") VALUES (1)', 't', ['x']],
  ["INSERT INTO t SET x = 1, `y`='a,b;' ON DUPLICATE KEY UPDATE x=2", 't', ['x', 'y']],
  ['/*!40000 INSERT INTO t VALUES (1) */', 't', null],
]

for (const [text, table, columns] of heads) {
  test(`${JSON.stringify(text)} is a row of ${table}`, () => {
    for (const size of [1, 7, 4096]) {
      const { rows } = read(`${text};\nDROP TABLE x;`, size)
      assert.deepEqual([rows.length, rows[0]?.table, rows[0]?.columns], [1, table, columns])
    }
  })
}

test('what triggers and routines would insert is no data (hardening 53)', () => {
  const dump = `DELIMITER ;;
/*!50003 CREATE*/ /*!50003 TRIGGER x BEFORE UPDATE ON t FOR EACH ROW
BEGIN INSERT INTO t VALUES (1); SELECT ';;'; END */;;
DELIMITER ;
INSERT INTO t VALUES (2);`
  for (const size of [1, 5, 4096]) {
    const { rows } = read(dump, size)
    assert.deepEqual(
      rows.map(({ cells }) => cells),
      [['2']],
    )
  }
})

test('the columns of a table are those it is created with, keys are none', () => {
  const { tables } = read(`CREATE TABLE IF NOT EXISTS \`a b\` (
    \`id\` int(10) NOT NULL COMMENT 'a, ) b', key_ enum('x,','y)') default 'x',
    PRIMARY KEY (\`id\`), KEY \`k\` (\`key_\`(10)), CONSTRAINT c CHECK (id > 0)
  ) ENGINE=InnoDB;`)
  assert.deepEqual(tables, { 'a b': ['id', 'key_'] })
})

test('rows nobody wants are counted, whatever stands in them', () => {
  const dump = `INSERT INTO logs VALUES (1,'a),(b'),(2,"it\\"s"),(3,'') ON DUPLICATE KEY UPDATE a=VALUES(a);
INSERT INTO t VALUES (1);`
  for (const size of [1, 3, 64, 4096]) {
    const { counted, rows } = read(dump, size, (table) => table === 't')
    assert.deepEqual([counted, rows.length], [{ logs: 3 }, 1])
  }
})

const ends: [string, boolean][] = [
  ["INSERT INTO t VALUES (1,'abc", false],
  ['INSERT INTO t VALUES (1,2),(3', false],
  ['INSERT INTO t VALUES (1,2),', false],
  ['INSERT INTO t (a', false],
  ['INSERT INTO t VALUES (1,2);', true],
  ['INSERT INTO t VALUES (1,2); -- Dump completed', true],
  ['INSERT INTO t VALUES (1,2); COMMIT', true],
]

for (const [text, whole] of ends) {
  test(`a dump that ends with ${JSON.stringify(text)} is ${whole ? 'whole' : 'cut off'}`, () => {
    assert.equal(read(text).whole, whole)
    assert.equal(read(text, 1).whole, whole)
  })
}

test('a row that is too long is refused, and one that is passed over takes no memory (hardening 53)', () => {
  const piece = Buffer.alloc(1 << 20, 'x')
  function feed(wanted: boolean): void {
    const listener = { row() {}, counted() {}, table() {}, statement() {} }
    const scanner = new DumpScanner({ insert: () => wanted, ...listener })
    scanner.push(Buffer.from("INSERT INTO t VALUES (1,'"))
    for (let count = 0; count < 40; count += 1) scanner.push(piece)
    scanner.push(Buffer.from("');"))
    assert.equal(scanner.end(), true)
  }
  assert.throws(
    () => feed(true),
    (error) => error instanceof DumpFault && error.code === 'row_too_long',
  )
  const before = process.memoryUsage().arrayBuffers
  feed(false)
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 << 20)
})

/** A string as dump programs quote it. */
const quoting = {
  backslashes: (text: string) => {
    const quoted = text.replace(/[\\'"]/g, '\\$&').replaceAll('\0', '\\0')
    return `'${quoted.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\x1a', '\\Z')}'`
  },
  doubled: (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "''")}'`,
  hex: (text: string) => (text === '' ? "''" : `0x${Buffer.from(text).toString('hex')}`),
}

const cell = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\\', "'", '"', ';', '-', '#', '/', '*', '(', ')', ',', '\n', 'é', '😀'),
  }),
)

test('every row is read as it was written, however it is quoted and cut into pieces', () => {
  const property = fc.property(
    fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
    fc.constantFrom(...Object.values(quoting)),
    fc.constantFrom(',', ',\n', ' , /* ) */ '),
    fc.constantFrom(1, 2, 3, 7, 64, 65536),
    (rows, quote, separator, size) => {
      const written = rows.map(
        (row) => `(${row.map((it) => (it === null ? 'NULL' : quote(it))).join(',')})`,
      )
      const told = read(`INSERT INTO \`t\` VALUES ${written.join(separator)};\n`, size)
      // What the database cannot hold is taken out.
      const kept = rows.map((row) => row.map((it) => it?.replaceAll('\0', '') ?? null))
      assert.deepEqual(
        told.rows.map(({ cells }) => cells),
        kept,
      )
      const skipped = read(`INSERT INTO t VALUES ${written.join(separator)};`, size, () => false)
      assert.equal(skipped.counted.t, rows.length)
    },
  )
  fc.assert(property, { numRuns: 400 })
})

test('no bytes whatever make the reader fail in another way than it says (hardening 53)', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((it) => Buffer.from(it)),
    fc
      .array(
        fc.constantFrom(
          'INSERT INTO t',
          ' VALUES ',
          '(',
          ')',
          "'",
          '"',
          '`',
          ';',
          '\\',
          '--',
          '/*',
          '*/',
          '/*!',
          '#',
          ',',
          '1',
          'DELIMITER ',
          '\n',
          'SET a=',
          'CREATE TABLE t(',
        ),
      )
      .map((it) => Buffer.from(it.join(''))),
  )
  const property = fc.property(noise, fc.constantFrom(1, 5, 1024), (bytes, size) => {
    try {
      const told = read(bytes, size)
      if (told.whole) assert.equal(told.bytes, bytes.length)
    } catch (error) {
      if (!(error instanceof DumpFault)) throw error
    }
  })
  fc.assert(property, { numRuns: 1000 })
})
