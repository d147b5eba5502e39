import { inflateSync } from 'node:zlib'

/** One object of a PDF: the text of its dictionary, and the content of its stream as it is and unpacked. */
type PdfObject = { readonly dictionary: string; readonly raw: Buffer; readonly content: Buffer }

type Pdf = {
  readonly text: string
  readonly trailer: string
  readonly objects: ReadonlyMap<string, PdfObject>
}

function readPdf(file: Buffer): Pdf {
  const text = file.toString('latin1')
  const objects = new Map<string, PdfObject>()
  for (const { 0: head, 1: id = '', index } of text.matchAll(/^(\d+) 0 obj\r?\n/gm)) {
    const from = index + head.length
    const body = text.slice(from, text.indexOf('endobj', from))
    const [dictionary = ''] = body.split(/stream\r?\n/, 1)
    const start = from + (/stream\r?\n/.exec(body)?.index ?? body.length) + 'stream\n'.length
    const raw = file.subarray(start, Math.max(start, text.indexOf('\nendstream', start)))
    const packed = dictionary.includes('/FlateDecode')
    objects.set(id, { dictionary, raw, content: packed ? inflateSync(raw) : raw })
  }
  return { text, objects, trailer: text.slice(text.lastIndexOf('\ntrailer')) }
}

/** The objects that a key of a dictionary refers to, one or an array of them. */
function referred({ objects }: Pdf, dictionary: string, key: string): PdfObject[] {
  const value = new RegExp(`/${key} (\\[[^\\]]*\\]|\\d+ 0 R)`).exec(dictionary)?.[1] ?? ''
  return [...value.matchAll(/(\d+) 0 R/g)].flatMap(([, id = '']) => objects.get(id) ?? [])
}

type Demand = readonly [name: string, isMet: (pdf: Pdf, catalog: string) => boolean]

/** What ISO 19005-3 (level B) and Factur-X 1.0 demand, as far as a file says it about itself. */
const DEMANDS: readonly Demand[] = [
  [
    'a header with four bytes above 127',
    ({ text }) => /^%PDF-1\.[0-7]\r?\n%[\x80-\xff]{4}/.test(text),
  ],
  ['a file identifier', ({ trailer }) => /\/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]/.test(trailer)],
  ['no encryption', ({ text }) => !/\/Encrypt\b/.test(text)],
  ['no scripts or actions', ({ text }) => !FORBIDDEN_ACTIONS.test(text)],
  [
    'no packing by LZW and no content outside of the file',
    ({ text }) => !/\/LZWDecode|\/FFilter/.test(text),
  ],
  ['one output intent with an ICC profile of three colors', hasOutputIntent],
  ['no colors but those of the output intent', hasOnlyRgb],
  ['no image that is smoothed', ({ text }) => !/\/Interpolate true/.test(text)],
  ['every font embedded', hasEmbeddedFonts],
  ['every font mapped to Unicode', hasUnicodeMaps],
  [
    'metadata without a filter',
    (pdf, catalog) => metadataOf(pdf, catalog)?.dictionary.includes('/Filter') === false,
  ],
  [
    'metadata that say PDF/A-3B',
    (pdf, catalog) =>
      says(pdf, catalog, 'pdfaid:part', '3') && says(pdf, catalog, 'pdfaid:conformance', 'B'),
  ],
]

/** What a file with an e-invoice inside must have beside. */
const DEMANDS_OF_ATTACHMENT: readonly Demand[] = [
  [
    'the file associated with the document',
    (pdf, catalog) => referred(pdf, catalog, 'AF').some(isInvoiceFile),
  ],
  [
    'the relationship of the file',
    (pdf, catalog) =>
      referred(pdf, catalog, 'AF').every(({ dictionary }) =>
        /\/AFRelationship \/Alternative/.test(dictionary),
      ),
  ],
  [
    'the file listed by name',
    (pdf, catalog) =>
      referred(pdf, catalog, 'Names').some(({ dictionary }) =>
        /\/EmbeddedFiles[\s\S]*\(factur-x\.xml\)/.test(dictionary),
      ),
  ],
  ['the media type and date of the file', hasDescribedFile],
  [
    'the properties of Factur-X',
    (pdf, catalog) =>
      Object.entries(FACTUR_X).every(([name, value]) => says(pdf, catalog, `fx:${name}`, value)),
  ],
  ['the extension schema of Factur-X', hasExtensionSchema],
]

const FORBIDDEN_ACTIONS =
  /\/(JavaScript|JS|Launch|Sound|Movie|ResetForm|ImportData|Hide|SetOCGState|Rendition|Trans|GoTo3DView|OpenAction|AA|XFA)\b/

const FACTUR_X = {
  ...{ DocumentType: 'INVOICE', DocumentFileName: 'factur-x.xml' },
  ...{ Version: '1.0', ConformanceLevel: 'EN 16931' },
}

/**
 * The demands of PDF/A-3b, and of Factur-X where an e-invoice is to be inside, that a file does not meet.
 * It reads files of this service alone, and checks less than a validator: not the content of pages and fonts.
 */
export function unmetDemands(file: Buffer, { attachment }: { attachment: boolean }): string[] {
  const pdf = readPdf(file)
  const [root] = referred(pdf, pdf.trailer, 'Root')
  const demands = attachment ? [...DEMANDS, ...DEMANDS_OF_ATTACHMENT] : DEMANDS
  return demands.filter(([, isMet]) => !isMet(pdf, root?.dictionary ?? '')).map(([name]) => name)
}

function hasOutputIntent(pdf: Pdf, catalog: string): boolean {
  const [intent, ...others] = referred(pdf, catalog, 'OutputIntents')
  if (!intent || others.length > 0 || !/\/S \/GTS_PDFA1\b/.test(intent.dictionary)) return false
  const [profile] = referred(pdf, intent.dictionary, 'DestOutputProfile')
  const { content = Buffer.alloc(0), dictionary = '' } = profile ?? {}
  // The header of a profile: its size, its class, its colors, its signature (ICC.1, 7.2).
  const at = (from: number) => content.toString('latin1', from, from + 4)
  const whole = content.length > 128 && content.readUInt32BE(0) === content.length
  const described = at(12) === 'mntr' && at(16) === 'RGB ' && at(36) === 'acsp'
  return whole && described && /\/N 3\b/.test(dictionary)
}

/** Colors of devices are those of the output intent, if they are RGB or gray. */
function hasOnlyRgb(pdf: Pdf): boolean {
  if (/\/DeviceCMYK/.test(pdf.text)) return false
  const pages = [...pdf.objects.values()].filter(({ dictionary }) =>
    /\/Type \/Page\b/.test(dictionary),
  )
  const contents = pages.flatMap(({ dictionary }) => referred(pdf, dictionary, 'Contents'))
  const operators = contents.map(({ content }) => content.toString('latin1')).join('\n')
  return contents.length > 0 && !/(^|\s)[kK]$|\/DeviceCMYK/m.test(operators)
}

function fontsOf({ objects }: Pdf): string[] {
  const dictionaries = [...objects.values()].map(({ dictionary }) => dictionary)
  return dictionaries.filter((it) => /\/Type \/Font\b(?!Descriptor)/.test(it))
}

const isComposite = (dictionary: string) => /\/Subtype \/Type0\b/.test(dictionary)

/** Composite fonts alone, each with one descendant whose program is in the file. */
function hasEmbeddedFonts(pdf: Pdf): boolean {
  const fonts = fontsOf(pdf)
  const composite = fonts.filter(isComposite)
  const simple = fonts.filter((it) => !isComposite(it) && !/\/Subtype \/CIDFontType[02]\b/.test(it))
  const embedded = composite.map((font) => {
    const [descendant, ...others] = referred(pdf, font, 'DescendantFonts')
    if (!descendant || others.length > 0) return false
    const mapped = /\/CIDFontType0\b|\/CIDToGIDMap \/Identity\b/.test(descendant.dictionary)
    const programs = referred(pdf, descendant.dictionary, 'FontDescriptor').flatMap((it) => [
      ...referred(pdf, it.dictionary, 'FontFile2'),
      ...referred(pdf, it.dictionary, 'FontFile3'),
    ])
    return mapped && programs.some(({ content }) => content.length > 0)
  })
  return simple.length === 0 && composite.length > 0 && embedded.every(Boolean)
}

function hasUnicodeMaps(pdf: Pdf): boolean {
  const composite = fontsOf(pdf).filter(isComposite)
  const maps = composite.map((font) =>
    referred(pdf, font, 'ToUnicode')[0]?.content.toString('latin1'),
  )
  return maps.every(
    (map) =>
      map !== undefined && /begincmap[\s\S]*beginbf(range|char)[\s\S]*<[0-9a-f]{4}/i.test(map),
  )
}

function metadataOf(pdf: Pdf, catalog: string): PdfObject | undefined {
  return referred(pdf, catalog, 'Metadata').find(({ dictionary }) =>
    /\/Type \/Metadata\s*\/Subtype \/XML/.test(dictionary),
  )
}

function says(pdf: Pdf, catalog: string, name: string, value: string): boolean {
  const metadata = metadataOf(pdf, catalog)?.raw.toString() ?? ''
  return metadata.startsWith('<?xpacket begin=') && metadata.includes(`<${name}>${value}</${name}>`)
}

function isInvoiceFile({ dictionary }: PdfObject): boolean {
  return /\/F \(factur-x\.xml\)/.test(dictionary) && /\/UF \(factur-x\.xml\)/.test(dictionary)
}

function hasDescribedFile(pdf: Pdf, catalog: string): boolean {
  return referred(pdf, catalog, 'AF').every(({ dictionary }) => {
    const id = /\/EF <<\s*\/F (\d+) 0 R/.exec(dictionary)?.[1] ?? ''
    const about = pdf.objects.get(id)?.dictionary ?? ''
    return /\/Subtype \/text#2Fxml/.test(about) && /\/ModDate \(D:\d{14}Z\)/.test(about)
  })
}

/** The schema that is not PDF/A's own is described, with each of its properties. */
function hasExtensionSchema(pdf: Pdf, catalog: string): boolean {
  const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
  return (
    says(pdf, catalog, 'pdfaSchema:namespaceURI', namespace) &&
    says(pdf, catalog, 'pdfaSchema:prefix', 'fx') &&
    Object.keys(FACTUR_X).every((name) => says(pdf, catalog, 'pdfaProperty:name', name))
  )
}
