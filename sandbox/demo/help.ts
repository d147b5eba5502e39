import type { Api } from './client.ts'

const CATEGORIES = [
  {
    names: { en: 'Your server', fr: 'Votre serveur' },
    descriptions: {
      en: 'Connect, change settings, install plugins.',
      fr: 'Se connecter, changer les réglages, installer des extensions.',
    },
    articles: [
      {
        en: {
          title: 'How do I connect to my server?',
          summary: 'Where the address of a server is, and what to do if it does not answer.',
          text: `## Find the address
Open [your servers](/servers) and choose the server. Its address is at the top of the page: copy it into the game.

## The server does not answer
1. Look whether the server is running; start it if it is not.
2. Wait a minute after the start: a large world takes time to load.
3. Check that the game has the same version as the server.

If it still does not answer, [ask us](/tickets).`,
        },
        fr: {
          title: 'Comment me connecter à mon serveur ?',
          summary: 'Où se trouve l’adresse d’un serveur, et que faire s’il ne répond pas.',
          text: `## Trouver l’adresse
Ouvrez [vos serveurs](/servers) et choisissez le serveur. Son adresse est en haut de la page : copiez-la dans le jeu.

## Le serveur ne répond pas
1. Vérifiez que le serveur est démarré ; sinon, démarrez-le.
2. Attendez une minute après le démarrage : un grand monde prend du temps à charger.
3. Vérifiez que le jeu a la même version que le serveur.

S’il ne répond toujours pas, [demandez-nous](/tickets).`,
        },
      },
      {
        en: {
          title: 'How do I install plugins?',
          summary: 'Upload the file, restart the server, look at the console.',
          text: `Open the panel from the page of your server.

1. Stop the server.
2. Upload the file into the folder \`plugins\`.
3. Start the server and look at the console: each plugin says that it was loaded.

Make a backup before you install something new.`,
        },
      },
    ],
  },
  {
    names: { en: 'Invoices and payment', fr: 'Factures et paiement' },
    descriptions: {},
    articles: [
      {
        en: {
          title: 'When does my server renew?',
          summary: 'Renewal, cancellation, and what happens to a server that is not paid.',
          text: `The page of your server shows the day of its next renewal. Until that day you can cancel it there.

An invoice that is not paid in time suspends the server. It comes back with its files when the invoice is paid.`,
        },
      },
    ],
  },
] as const

/** Publishes a few help articles, unless there are some. */
export async function publishHelp(admin: Api): Promise<void> {
  const { data } = await admin.get('/v1/admin/article-categories?limit=1')
  if (data.length > 0) return
  for (const [place, { articles, ...category }] of CATEGORIES.entries()) {
    const { id: categoryId } = await admin.post('/v1/admin/article-categories', {
      ...{ ...category, position: place },
    })
    for (const [position, texts] of articles.entries()) {
      const { id } = await admin.post('/v1/admin/articles', { categoryId, position })
      for (const [language, text] of Object.entries(texts)) {
        const path = `/v1/admin/articles/${id}/texts/${language}`
        const { revision } = await admin.put(path, text)
        await admin.post(`${path}/publish`, { revision })
      }
    }
  }
}
