import { startProvider } from './server.ts'

const { PORT, HOST, PUBLIC_URL, CONTROL_TOKEN, SNAPSHOT_FILE, SECRET_KEY } = process.env

const provider = await startProvider({
  port: Number(PORT ?? 0),
  ...(HOST && { host: HOST }),
  ...(PUBLIC_URL && { publicUrl: PUBLIC_URL }),
  ...(CONTROL_TOKEN && { controlToken: CONTROL_TOKEN }),
  ...(SNAPSHOT_FILE && { snapshotFile: SNAPSHOT_FILE }),
  ...(SECRET_KEY && { secretKeys: [SECRET_KEY] }),
})
const { url, secretKey, publishableKey, controlToken } = provider
console.log(JSON.stringify({ url, secretKey, publishableKey, controlToken }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void provider.close()
  })
}
