export const attachments = {
  attach: 'Allega file',
  hint: (count: number, size: string) =>
    `Fino a ${count} file di ${size} ciascuno. Puoi anche trascinare qui i file o incollare una schermata.`,
  list: 'File di questo messaggio',
  shown: 'File allegati',
  sending: 'Caricamento in corso',
  stored: 'Caricato',
  tooLarge: (size: string) => `Più grande di ${size}`,
  retry: (name: string) => `Carica di nuovo ${name}`,
  remove: (name: string) => `Rimuovi ${name}`,
  tooMany: (count: number) => `Un messaggio ha al massimo ${count} file.`,
  tooHeavy: (size: string) =>
    `I file di un messaggio possono occupare al massimo ${size} in totale.`,
  blocked: 'Non si può scaricare: i file di questo tipo possono eseguire programmi.',
  willBlock: 'Il destinatario non può scaricare i file di questo tipo. Inseriscilo in un archivio.',
  open: 'Apri',
  download: 'Scarica',
  progress: (done: number, all: number) => `${done} file caricati su ${all}`,
}
