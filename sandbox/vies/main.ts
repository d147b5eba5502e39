import { startVies } from './server.ts'

const vies = await startVies({ port: Number(process.env.PORT ?? 0) })
console.log(JSON.stringify({ url: vies.url }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void vies.close()
  })
}
