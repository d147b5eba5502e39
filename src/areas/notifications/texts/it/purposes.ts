import type { Purpose } from '#platform/area.ts'
import type { purposes as first } from '../en/purposes.ts'

/** Why each area keeps what it keeps about people, in Italian. */
export const purposes: Readonly<Record<keyof typeof first, Purpose>> = {
  'users.profile': {
    data: 'profilo, numero di telefono, fuso orario, indirizzo di fatturazione, partita IVA e ciò che ne dice il registro dell’UE',
    purpose: 'Avere un account ed emettere le fatture',
    legalBasis: 'Contratto, art. 6, par. 1, lett. b)',
    retention: 'Fino all’eliminazione dell’account',
    recipients: [
      'i fornitori di servizi di pagamento di questo negozio',
      'i pannelli di gioco su cui si trovano i tuoi server',
      'il registro delle partite IVA dell’UE (solo il numero)',
    ],
  },
  'users.marketing': {
    data: 'quando hai accettato di ricevere novità e offerte',
    purpose: 'Inviarti novità e offerte solo se lo desideri',
    legalBasis: 'Consenso, art. 6, par. 1, lett. a)',
    retention: 'Fino alla revoca o all’eliminazione dell’account',
    recipients: [],
  },
  'users.sessions': {
    data: 'sessioni e chiavi API',
    purpose: 'Sapere che sei tu e mostrarti dove hai effettuato l’accesso',
    legalBasis: 'Legittimo interesse alla sicurezza degli account, art. 6, par. 1, lett. f)',
    retention: 'Sessioni: 30 giorni dopo la loro fine; chiavi: fino all’eliminazione dell’account',
    recipients: [],
  },
  'users.notes': {
    data: 'note del nostro staff su di te, anche quelle del nostro sistema precedente, e il motivo per cui ha consultato il tuo account',
    purpose:
      'Aiutarti senza chiederti due volte le stesse cose e giustificare ogni consultazione del tuo account',
    legalBasis:
      'Legittimo interesse a un’assistenza efficace e tracciabile, art. 6, par. 1, lett. f)',
    retention:
      'Note: finché lo staff non le elimina o fino all’eliminazione dell’account; motivi: come le sessioni',
    recipients: [],
  },
  'rbac.roles': {
    data: 'ruoli e gruppi',
    purpose: 'Permettere allo staff, e a nessun altro, di fare il proprio lavoro',
    legalBasis: 'Legittimo interesse a un’amministrazione sicura, art. 6, par. 1, lett. f)',
    retention: 'Fino alla revoca del ruolo o all’eliminazione dell’account',
    recipients: [],
  },
  'audit.log': {
    data: 'il registro di ciò che hai modificato e di ciò che lo staff ha consultato',
    purpose: 'Capire chi ha fatto cosa quando qualcosa è andato storto',
    legalBasis: 'Legittimo interesse alla sicurezza, art. 6, par. 1, lett. f)',
    retention:
      'Finché questo negozio conserva il registro, 60 mesi per impostazione predefinita; indirizzi IP 12 mesi',
    recipients: [],
  },
  'notifications.messages': {
    data: 'notifiche, ed email per oggetto',
    purpose: 'Dirti ciò che devi sapere sul tuo account e sui tuoi servizi',
    legalBasis: 'Contratto, art. 6, par. 1, lett. b)',
    retention: 'Fino all’eliminazione dell’account',
    recipients: ['il server di posta di questo negozio'],
  },
  'store.cart': {
    data: 'il carrello',
    purpose: 'Venderti ciò che vi metti',
    legalBasis: 'Misure precontrattuali, art. 6, par. 1, lett. b)',
    retention: 'Finché non viene acquistato o svuotato, o fino all’eliminazione dell’account',
    recipients: [],
  },
  'store.offers': {
    data: 'codici promo e prove che hai usato',
    purpose: 'Dare una sola volta ciò che spetta a ciascuno una sola volta',
    legalBasis: 'Legittimo interesse, art. 6, par. 1, lett. f)',
    retention: 'Senza limiti di tempo; dopo l’eliminazione, senza il tuo nome',
    recipients: [],
  },
  'store.trials': {
    data: 'hash con chiave dell’indirizzo, dei metodi di pagamento e degli account sul pannello con cui hai provato un prodotto',
    purpose:
      'Concedere a ogni persona una sola prova di un prodotto, anche dopo l’eliminazione di un account',
    legalBasis: 'Legittimo interesse a prevenire gli abusi, art. 6, par. 1, lett. f)',
    retention:
      'Per il tempo stabilito da questo negozio, 24 mesi per impostazione predefinita, a partire dalla prova',
    recipients: [],
  },
  'ledger.credit': {
    data: 'il tuo credito e i suoi movimenti',
    purpose: 'Tenere la contabilità',
    legalBasis: 'Contratto e obbligo legale, art. 6, par. 1, lett. b) e c)',
    retention: 'Finché si conserva la contabilità; dopo l’eliminazione, senza il tuo nome',
    recipients: ['autorità fiscali e revisori'],
  },
  'billing.documents': {
    data: 'fatture e note di credito con il tuo nome, il tuo indirizzo e la tua partita IVA, pagamenti, rimborsi',
    purpose: 'Fatturare, ricevere i pagamenti e dimostrarlo al fisco',
    legalBasis: 'Contratto e obbligo legale, art. 6, par. 1, lett. b) e c)',
    retention: 'Fino al 31 dicembre del decimo anno successivo a quello di emissione del documento',
    recipients: [
      'i fornitori di servizi di pagamento di questo negozio',
      'autorità fiscali e revisori',
    ],
  },
  'billing.transfers': {
    data: 'bonifici: nome e conto di chi paga, e ciò che ha scritto',
    purpose: 'Capire a cosa si riferisce il denaro ricevuto',
    legalBasis: 'Contratto, art. 6, par. 1, lett. b)',
    retention:
      'Fino all’eliminazione dell’account; 400 giorni per quelli che nessuno ha potuto attribuire',
    recipients: [],
  },
  'billing.methods': {
    data: 'metodi di pagamento salvati: tipo e ultime cifre',
    purpose: 'Pagare senza inserire tutto di nuovo, e rinnovare',
    legalBasis: 'Contratto, art. 6, par. 1, lett. b)',
    retention: 'Finché non li rimuovi o fino all’eliminazione dell’account',
    recipients: ['il fornitore di servizi di pagamento che conserva il metodo'],
  },
  'services.services': {
    data: 'servizi, tuoi e condivisi con te, con i valori che hai scelto; i tuoi account sui pannelli di gioco',
    purpose: 'Fornire ciò che hai ordinato',
    legalBasis: 'Contratto, art. 6, par. 1, lett. b)',
    retention:
      'Fino all’eliminazione dell’account; ciò a cui rinvia la contabilità resta, senza i tuoi testi',
    recipients: [
      'i pannelli di gioco su cui si trovano i tuoi server',
      'i sistemi di questo negozio che consegnano i tuoi servizi',
    ],
  },
  'services.activity': {
    data: 'ciò che è stato fatto sui tuoi server, e da te su quelli condivisi con te, con l’indirizzo di provenienza',
    purpose: 'Mostrarti chi ha fatto cosa e individuare gli abusi',
    legalBasis: 'Legittimo interesse, art. 6, par. 1, lett. f)',
    retention: 'Trenta giorni, o fino all’eliminazione dell’account',
    recipients: ['i pannelli di gioco su cui si trovano i tuoi server'],
  },
  'orders.orders': {
    data: 'ordini, se hai chiesto che il servizio iniziasse subito, e la tua nota per il negozio',
    purpose: 'Eseguire ciò che hai ordinato, e dimostrarlo',
    legalBasis: 'Contratto e obbligo legale, art. 6, par. 1, lett. b) e c)',
    retention: 'Con la fattura a cui appartengono; dopo l’eliminazione, senza il tuo nome',
    recipients: [],
  },
  'vouchers.redemptions': {
    data: 'i buoni che hai riscattato e quando hai inserito codici errati',
    purpose: 'Accreditarti l’importo dei buoni e impedire che i codici vengano indovinati',
    legalBasis: 'Contratto e interesse legittimo, art. 6, par. 1, lett. b) e f)',
    retention:
      'I buoni riscattati finché si conservano i libri contabili, dopo l’eliminazione senza il tuo nome; i codici errati per un giorno',
    recipients: [],
  },
  'affiliation.commissions': {
    data: 'il tuo codice, chi hai portato, quanto hai guadagnato; se qualcuno ha portato te',
    purpose: 'Dare la sua parte a chi porta clienti e scoprire chi paga sé stesso',
    legalBasis: 'Contratto e legittimo interesse, art. 6, par. 1, lett. b) e f)',
    retention: 'Finché si conserva la contabilità; dopo l’eliminazione, senza il tuo nome',
    recipients: [],
  },
  'knowledge.feedback': {
    data: 'se gli articoli di aiuto ti sono stati utili',
    purpose: 'Migliorare gli articoli di aiuto',
    legalBasis: 'Interesse legittimo a un aiuto comprensibile, art. 6, par. 1, lett. f)',
    retention: 'Fino all’eliminazione dell’account; poi senza il tuo nome',
    recipients: [],
  },
  'incidents.notices': {
    data: 'i disservizi che hanno riguardato i tuoi servizi e quando te ne abbiamo informato',
    purpose: 'Informarti una volta di ogni disservizio che ti riguarda',
    legalBasis: 'Contratto, art. 6, par. 1, lett. b)',
    retention: 'Fino all’eliminazione dell’account',
    recipients: [],
  },
  'support.tickets': {
    data: 'i tuoi ticket con i loro messaggi e file, con il servizio o la fattura a cui si riferiscono',
    purpose: 'Rispondere alle tue domande e risolvere i problemi dei tuoi servizi',
    legalBasis: 'Contratto, art. 6, par. 1, lett. b)',
    retention: 'Fino all’eliminazione dell’account; le date restano senza testo',
    recipients: [],
  },
  'support.saved-replies': {
    data: 'le risposte che hai salvato per rispondere ai clienti',
    purpose: 'Proporti di nuovo questi testi',
    legalBasis: 'Legittimo interesse a un lavoro efficiente, art. 6, par. 1, lett. f)',
    retention:
      'Fino all’eliminazione dell’account; le risposte condivise restano senza il tuo nome',
    recipients: [],
  },
  'oidc.applications': {
    data: 'le applicazioni a cui hai effettuato l’accesso con questo account',
    purpose: 'Dire a queste applicazioni chi sei, come hai consentito',
    legalBasis: 'Consenso, art. 6, par. 1, lett. a)',
    retention: 'Fino alla scadenza o alla revoca del consenso',
    recipients: ['le applicazioni che hai autorizzato'],
  },
  'webhooks.messages': {
    data: 'ciò che è accaduto al tuo account, ai tuoi ordini, alle tue fatture e ai tuoi servizi, con il tuo ID e senza il tuo nome',
    purpose: 'Tenere aggiornati gli altri sistemi di questo negozio',
    legalBasis: 'Legittimo interesse, art. 6, par. 1, lett. f)',
    retention: 'Trenta giorni, o per il tempo stabilito da questo negozio',
    recipients: ['i sistemi collegati da questo negozio'],
  },
  'bot.roles': {
    data: 'i ruoli che il tuo account Discord collegato ha per ciò che possiedi qui',
    purpose: 'Darti questi ruoli sui server Discord di questo negozio, e toglierteli',
    legalBasis: 'Contratto, art. 6, par. 1, lett. b)',
    retention:
      'Finché non rimuovi il collegamento o fino all’eliminazione dell’account; ciò che i bot devono togliere, altri trenta giorni',
    recipients: ['Discord'],
  },
  'desk.views': {
    data: 'le viste degli elenchi dell’amministrazione che hai salvato',
    purpose: 'Mostrarti di nuovo questi elenchi come li avevi lasciati',
    legalBasis: 'Legittimo interesse a un lavoro efficiente, art. 6, par. 1, lett. f)',
    retention: 'Finché non elimini la vista o fino all’eliminazione dell’account',
    recipients: [],
  },
  'desk.presence': {
    data: 'le pagine dell’amministrazione che hai aperte in questo momento e se vi stai scrivendo una risposta',
    purpose: 'Mostrare al resto del personale chi lavora sullo stesso caso',
    legalBasis: 'Legittimo interesse a un lavoro efficiente, art. 6, par. 1, lett. f)',
    retention: 'Un minuto dopo che hai lasciato la pagina; eliminate pochi minuti più tardi',
    recipients: [],
  },
}
