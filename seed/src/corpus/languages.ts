import { type Template, templates, type Words } from "../templates.ts";
import { splitWords } from "./topic.ts";

/** Texts in a language other than English, for trying out search in other scripts. */
export interface Language {
  readonly words: Words;
  readonly titles: readonly Template[];
  readonly sentences: readonly Template[];
}

function language(words: Record<string, string>, titles: string, sentences: string): Language {
  const lists = Object.entries(words).map(([slot, text]) => [slot, splitWords(text)]);
  return { words: Object.fromEntries(lists), titles: templates(titles), sentences: templates(sentences) };
}

const greek = language(
  {
    thing: "βιβλία, ποδήλατα, λουλούδια, τραγούδια, τρένα, πουλιά, παλιά σπίτια, άστρα",
    place: "στη γειτονιά, στο νησί, στον κήπο, στη βιβλιοθήκη, στους δρόμους της πόλης",
    city: "Αθήνα, Θεσσαλονίκη, Πάτρα, Καβάλα, Λάρισα",
  },
  `Ποια {thing} αγαπάτε περισσότερο;
  Τα {thing} που είδα {place}
  Νέα {thing} για την {city}
  Οδυσσέας, Σίσυφος και {thing}: μια μικρή ιστορία`,
  `Χθες βρήκα {thing} {place} και χάρηκα πολύ.
  Ο δρόμος ήταν ήσυχος και ο ουρανός καθαρός.
  Περιμένω τις απόψεις σας, ειδικά από την {city}.
  Τα {thing} θέλουν χρόνο, υπομονή και καλούς φίλους.`,
);

const german = language(
  {
    thing: "Straßenbahnen, Äpfel, Bücher, Fahrräder, Vögel, Gießkannen, Weißdornhecken, Füße, Schlösser",
    place: "in der Schloßstraße, hinterm Gewächshaus, draußen am Fluss, auf dem Flohmarkt, im Großen Garten",
    city: "Köln, Gießen, Zürich, Görlitz, Wien, Saarbrücken",
  },
  `Welche {thing} mögt ihr am liebsten?
  {thing} {place}: ein großer Spaß
  Grüße aus {city} und ein paar {thing}
  Außergewöhnlich: {thing} aus {city}`,
  `Am Wochenende habe ich {thing} {place} entdeckt.
  Das Maß aller Dinge ist Geduld, heißt es in {city}.
  Wer weiß mehr darüber? Ich freue mich über jede Antwort.
  Schließlich hat es doch geklappt, größtenteils jedenfalls.`,
);

const turkish = language(
  {
    thing: "kitaplar, bisikletler, kediler, çiçekler, ışıklar, şarkılar, eski haritalar, kuşlar",
    place: "sokakta, bahçede, kıyıda, İstanbul'da, ılık bir akşamda, kütüphanede",
    city: "İzmir, İstanbul, Iğdır, Diyarbakır, Eskişehir, Muğla",
  },
  `En sevdiğiniz {thing} hangileri?
  {city} ve {thing}
  Yağmurdan sonra {thing}
  Işıl ile {place}: {thing}`,
  `Dün {place} güzel {thing} gördüm.
  Çay içtik, uzun uzun konuştuk, sonra yürüdük.
  Sizin şehrinizde {thing} nasıl?
  {city} kışın bile güzel, inanın bana.`,
);

const russian = language(
  {
    thing: "книги, велосипеды, цветы, поезда, птицы, кошки, звёзды, старые карты",
    place: "в нашем дворе, на даче, у реки, в библиотеке, на вокзале",
    city: "Казань, Тверь, Алматы, Рига, Тбилиси",
  },
  `Какие {thing} вы любите больше всего?
  Новые {thing} {place}
  {city}: {thing} и немного снега
  Ещё раз про {thing}`,
  `Вчера {place} я снова увидел {thing}.
  Было тихо, холодно и очень красиво.
  Расскажите, что вы об этом думаете.
  Город {city} умеет удивлять.`,
);

const japanese = language(
  {
    thing: "本, 自転車, 花, 電車, 鳥, 猫, 星空, パン, カメラ",
    place: "川辺, 図書館, ベランダ, 駅前, 古い喫茶店",
    city: "京都, 大阪, 札幌, 金沢, 那覇",
  },
  `おすすめの{thing}を教えてください
  {city}で見かけた{thing}
  {thing}と過ごす静かな休日
  {place}の{thing} {2-30}選`,
  `昨日、{place}で{thing}を見つけました。
  とても静かで、いい時間でした。
  {city}に行くことがあれば、ぜひ寄ってみてください。
  みなさんの{thing}の話も聞きたいです。`,
);

export const languages: readonly Language[] = [greek, german, turkish, russian, japanese];
