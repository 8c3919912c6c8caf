import { expect, it } from 'vitest'
import { sentencesOf } from '../../../src/platform/lib/sentences.ts'

const cut = (text: string): string[] => sentencesOf(text).map(({ start, end }) => text.slice(start, end).trim())

// brave/brave-core#10027
it.each([
  ['English', 'Written by Dr. Anna Schmidt in the U.S. and Canada.', 'It sells well.'],
  ['German', 'Manche Öle, z.B. Leinöl, trocknen ggf. Wochen.', 'Andere nie.'],
  ['German', 'Es kam Prof. Dr. med. Meier.', 'Er blieb.'],
  ['Japanese', '彼は「行く。」と言った。', '「はい。」'],
  ['French', 'Mme. Dupont habite av. Foch.', 'Elle part.'],
  ['Spanish', 'La Sra. García vive en EE.UU. Desde 2020.', 'Trabaja mucho.'],
  ['Portuguese', 'A Dra. Silva viu a pág. Doze.', 'Gostou.'],
  ['Italian', 'Il dott. Rossi scrive al sig. Bianchi.', 'Aspetta.'],
  ['Dutch', 'Mevr. Jansen koopt bijv. Gouda.', 'Dat smaakt.'],
  ['Swedish', 'Många, bl.a. Anna, kom kl. 8 i går.', 'Det blev kul.'],
  ['Danish', 'Mange, f.eks. Anna, kom kl. 8 i går.', 'Det var godt.'],
  ['Finnish', 'Ostamme esim. Fiskarsin sakset.', 'Ne kestävät.'],
  ['Hungarian', 'Eljött dr. Kovács és ifj. Nagy.', 'Beszéltek.'],
  ['Polish', 'Mieszka przy ul. Długiej, np. Anna.', 'Lubi to.'],
  ['Czech', 'Bydlí na nám. Míru, např. Jana.', 'Má to ráda.'],
  ['Croatian', 'Živi u ul. Ilica, npr. Ana.', 'Voli to.'],
  ['Romanian', 'Dl. Popescu locuiește pe str. Lungă.', 'Îi place.'],
  ['Lithuanian', 'Vilniuje, pvz. Gedimino pr., gyvena Ona.', 'Jai patinka.'],
  ['Turkish', 'Toplantıya Doç. Dr. Yılmaz geldi.', 'Konuştu.'],
  ['Russian', 'Он живёт на ул. Ленина и т.д. Потом.', 'Всё.'],
  ['Ukrainian', 'Він живе на вул. Шевченка.', 'Це добре.'],
  ['Greek', 'Αγοράζει π.χ. Φέτα.', 'Του αρέσει.'],
  ['Hindi', 'वहाँ डॉ. शर्मा आए।', 'सब खुश हुए।'],
  ['Bengali', 'সেখানে ডা. রহমান এলেন।', 'সবাই খুশি।'],
  ['Arabic', 'جاء د. أحمد إلى هنا؟', 'نعم.'],
  ['Catalan', 'Viu a l’avda. Diagonal, núm. Dos, amb la Sra. Puig.', 'Li agrada.'],
  ['Norwegian', 'Han bor i Oslo, jf. avd. Sentrum, og jobber bl.a. Torsdager ifm. Messer.', 'Han trives.'],
  ['Slovak', 'Býva na ul. Dlhej, napr. Jana alebo RNDr. Kováč.', 'Má to rada.'],
  ['Slovenian', 'Živi v ul. Ilica, npr. Ana iz d.o.o. Hrast.', 'Všeč ji je.'],
  ['Serbian', 'Живи у ул. Нова, нпр. Ана и гђа. Петровић.', 'Воли то.'],
  ['Estonian', 'Meil töötab nt. Mari, s.t. Tamme tütar, ja hr. Kask.', 'Neile meeldib.'],
  ['Latvian', 'Rīgā, piem. Brīvības ielā, t.sk. Centrā.', 'Viņai patīk.'],
  ['Bulgarian', 'Живее на бул. Витоша, срв. Карта, вх. Две.', 'Харесва му.'],
  ['Persian', 'در سال ۴۰ ق.م. رم بود و ص. بعد.', 'بله.'],
  ['Malay', 'Beliau tinggal di Jln. Ampang, iaitu Hj. Ahmad.', 'Beliau suka.'],
  ['Vietnamese', 'Ông là PGS.TS. Nguyễn ở TP. Huế.', 'Ông vui.'],
  ['Thai', 'ในปี พ.ศ. 2560 ดร. สมชายมา', ''],
  ['German with blanks', 'Um 50 v. Chr. lebte er, d. h. Cäsar, z. B. Rom.', 'Er war da.'],
  ['French with blanks', 'Prenez p. ex. Paris, c. à d. Lutèce.', 'Elle part.'],
  ['Indonesian', 'Ia tinggal di Jl. Merdeka.', 'Ia senang.'],
  ['Japanese', 'これはペンです。', 'それは本です。'],
])('in %s an abbreviation ends no sentence', (_, first, second) => {
  expect(cut(`${first} ${second}`)).toEqual(second === '' ? [first] : [first, second])
})

it.each([
  ['From approx. $5 to max. $10. Cheap.', ['From approx. $5 to max. $10.', 'Cheap.']],
  [
    'Vive en EE. UU., o en la C. Mayor, apto. 3, desde hoy. Bien.',
    ['Vive en EE. UU., o en la C. Mayor, apto. 3, desde hoy.', 'Bien.'],
  ],
  ['Die Hauptstr. 5 gehört der Fa. Müller. Gut.', ['Die Hauptstr. 5 gehört der Fa. Müller.', 'Gut.']],
  [
    'Gov. Smith and Messrs. Black met Lt. Brown. All sang.',
    ['Gov. Smith and Messrs. Black met Lt. Brown.', 'All sang.'],
  ],
  ['Wait… what? Yes.', ['Wait… what?', 'Yes.']],
  [
    'We ship Mon. through Fri. At noon. Due anni fa. Bene.',
    ['We ship Mon. through Fri. At noon.', 'Due anni fa.', 'Bene.'],
  ],
  ['Hmm. . . ok then. Yes.', ['Hmm. . . ok then.', 'Yes.']],
  ['We use it. .NET is fine.', ['We use it.', '.NET is fine.']],
  ['"Is it?" he asked. "Yes."', ['"Is it?" he asked.', '"Yes."']],
  ['Flat feet.1 Next, fig.1 Shows it.', ['Flat feet.1', 'Next, fig.1 Shows it.']],
  ['It costs $5.50 in version 2.0.1 here. Buy.', ['It costs $5.50 in version 2.0.1 here.', 'Buy.']],
  ['One.❞ Two.＂ Three.', ['One.❞', 'Two.＂', 'Three.']],
  ['Τι είναι; Είναι καλό.', ['Τι είναι;', 'Είναι καλό.']],
  ['มา။ မြန်မာ။ བོད།', ['มา။', 'မြန်မာ။', 'བོད།']],
  ['これは。】次。', ['これは。】', '次。']],
  ['a\nb\n...c', ['a', 'b', '...c']],
])('%s is cut where sentences end', (text, sentences) => {
  expect(cut(text)).toEqual(sentences)
})
