/** A name as it stands in an address: `Minecraft 4 GB` is `minecraft-4-gb`. Without letters and digits it is `item`. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? ['item']).join('-').slice(0, 80).replace(/-$/, '')
}
