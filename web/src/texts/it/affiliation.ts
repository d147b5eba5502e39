import type { AffiliationTexts } from '../parts.ts'
import { plural } from '../plural.ts'

export const affiliation: AffiliationTexts = {
  title: 'Invita amici',
  offer: (share) => `Per te: ${share} di quanto paga chi arriva dal tuo link.`,
  first: 'Conta il primo pagamento.',
  recurring: 'Contano tutti i pagamenti.',
  months: (count) =>
    count === 1
      ? 'Contano i pagamenti del primo mese.'
      : `Contano i pagamenti dei primi ${count} mesi.`,
  hold: (days) =>
    days === 0
      ? 'La commissione si può usare dal momento del pagamento.'
      : `La commissione si può usare ${days} ${plural('it', days, 'giorno', 'giorni')} dopo il pagamento.`,
  closed: 'Il programma è chiuso',
  closedText: 'Al momento non si accettano nuovi partecipanti.',
  join: 'Partecipa',
  joinTitle: 'Consigliaci e guadagna credito',
  yourLink: 'Il tuo link',
  suspended: 'La tua partecipazione è sospesa. Contatta l’assistenza.',
  clicks: 'Clic',
  clicksText: (total: string, recent: string) =>
    `${total}, di cui ${recent} negli ultimi 30 giorni`,
  referrals: 'Amici portati',
  pending: 'In attesa',
  available: 'Disponibile',
  converted: 'Convertito',
  convert: 'Converti in credito',
  convertText: (minimum) => `A partire da ${minimum} puoi convertire la commissione in credito.`,
  convertedNow: 'La tua commissione ora è credito',
  progress: 'Quanto manca al minimo',
  commissions: 'Commissioni',
  noCommissions:
    'Ancora nessuna commissione. Appare quando paga qualcuno che è arrivato dal tuo link.',
  status: { pending: 'In attesa', available: 'Disponibile', reversed: 'Stornata' },
  statusHead: 'Stato',
  date: 'Data',
  amount: 'Importo',
  usableFrom: 'Utilizzabile dal',
}
