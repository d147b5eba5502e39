import type { Texts } from '../index.tsx'

export const common: Texts['common'] = {
  skip: 'Vai al contenuto',
  loading: 'Caricamento',
  copy: 'Copia',
  copied: 'Copiato',
  close: 'Chiudi',
  cancel: 'Annulla',
  save: 'Salva',
  notANumber: 'Inserisci un numero, ad esempio 12.',
  amountWrong: (example) => `Inserisci un importo, ad esempio ${example}.`,
  saved: 'Salvato',
  undo: 'Annulla la modifica',
  more: 'Altre azioni',
  all: 'Tutto',
  tryAgain: 'Riprova',
  showMore: 'Mostra altro',
  home: 'Home',
  failed: 'Caricamento non riuscito',
  refused: 'Qualcosa non ha funzionato',
  changed: 'Qualcun altro ha modificato questi dati nel frattempo',
  changedText:
    'Non è stato salvato nulla. Ciò che hai inserito resta, e tutto ciò che non hai modificato mostra lo stato attuale. Controlla e salva di nuovo.',
  changedField:
    'Qualcun altro ha modificato questo campo nel frattempo. Se salvi, resta ciò che hai inserito.',
  changedTo: (value) =>
    `Qualcun altro ha salvato “${value}” nel frattempo. Se salvi, resta ciò che hai inserito.`,
  nothingChanged: 'Non è stato modificato nulla.',
  noConnection: 'Il server non è raggiungibile.',
  unreached:
    'Il server non è raggiungibile. Riprova: ciò che hai inserito resta, e nulla viene eseguito due volte.',
  tooLarge:
    'È più grande di quanto il server accetti. Scegli un file più piccolo o un testo più breve.',
  refusedBefore: (status) =>
    `La richiesta è stata rifiutata prima di raggiungere il servizio (stato ${status}).`,
  offline: 'Nessuna connessione. Nuovo tentativo in corso.',
  request: (id) => `Richiesta ${id}`,
  forbidden: 'Non hai l’autorizzazione necessaria',
  private: 'Visibile solo al cliente',
  privateText: 'Queste informazioni sono nascoste mentre vedi il negozio come cliente.',
  notFound: 'Questa pagina non esiste',
  notFoundText: 'Forse è stata rimossa, o l’indirizzo è incompleto.',
  crashed: 'Errore in questa schermata',
  crashedText: 'Ricarica la pagina. Se succede ancora, contatta l’assistenza.',
  testMode: 'Modalità di prova',
  testModeText: 'I pagamenti sono simulati e non circola denaro.',
  reload: 'Ricarica',
}
