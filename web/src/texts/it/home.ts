import type { Texts } from '../index.tsx'
import { withArticle } from './days.ts'

export const home: Texts['home'] = {
  title: 'Home',
  hello: (name) => `Ciao ${name}`,
  none: 'Ancora nessun server',
  noneText: 'Scegli un gioco. Il tuo server è pronto poco dopo il pagamento.',
  chooseGame: 'Scegli un gioco',
  otherLanguage: (language) =>
    `Le notifiche e le e-mail ti arrivano in un’altra lingua: ${language}.`,
  speakEverywhere: (language) => `Usa ${language} ovunque`,
  upcoming: 'Prossimi pagamenti',
  nothingUpcoming: 'Nessun pagamento in arrivo a breve.',
  allInvoices: 'Tutte le fatture',
  renews: (date) => `Si rinnova ${withArticle('il', date)}`,
  ends: (date) => `Termina ${withArticle('il', date)}`,
  credit: 'Credito',
  addCredit: 'Aggiungi credito',
  news: 'Notifiche',
  noNews: 'Ancora nessuna notifica.',
  allNews: 'Tutte le notifiche',
  dueTitle: (count) => (count === 1 ? 'Una fattura da pagare' : `${count} fatture da pagare`),
  due: (amount) => `Importo dovuto: ${amount}.`,
  seeInvoices: 'Vedi le fatture',
  suspended: 'Sospeso fino al pagamento della sua fattura.',
  waitsForPayment: 'In attesa del pagamento.',
  settingUp: 'Il tuo server è in fase di installazione.',
  setUpFailed: 'L’installazione richiede più tempo del solito. Il nostro staff è stato avvisato.',
  filesUntil: (date) => `I suoi file sono conservati fino al ${date}.`,
  unavailable: 'Lo stato in tempo reale al momento non è disponibile.',
}
