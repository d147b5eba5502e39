// @ts-check
/**
 * Starts the API reference: the API document with examples, preceded by the guide. Nothing is fetched from
 * other hosts, and nothing that is typed is sent to them.
 */
const answers = await Promise.all([
  fetch('/v1/openapi.json?examples=true'),
  fetch('/v1/docs/guide.md'),
])
/** @type {{ info: { description: string } }} */
const content = /** @type {never} */ (await answers[0].json())
const guide = await answers[1].text()
content.info.description += `\n\n${guide}`

/** @typedef {{ getElementById(id: string): { remove(): void } | null }} Page */
const { Scalar, document } =
  /** @type {{ Scalar: { createApiReference(at: string, options: object): void }, document: Page }} */ (
    /** @type {unknown} */ (globalThis)
  )
document.getElementById('outline')?.remove()
Scalar.createApiReference('#reference', {
  content,
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  defaultOpenAllTags: false,
  operationTitleSource: 'summary',
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: true,
  authentication: { preferredSecurityScheme: 'apiKey' },
})
