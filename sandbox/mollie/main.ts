import { startMollie } from './server.ts'

const { PORT, API_KEY } = process.env

const mollie = await startMollie({ port: Number(PORT ?? 0), ...(API_KEY && { apiKey: API_KEY }) })
console.log(JSON.stringify({ url: mollie.url, apiKey: mollie.apiKey }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void mollie.close()
  })
}
