import { startTandem } from "/work/main/testing/src/tandem.ts";
import { spawn } from "node:child_process";
import { sql } from "/work/main/node_modules/kysely/dist/esm/index.js";
const dataDir = "/tmp/sd/conc";
const t = await startTandem("sqlite", { dataDir });
const child = spawn("node", ["--import", "tsx", "server/src/cli/tandem.ts", "seed", "--posts", "40000"], { cwd: "/work/main", env: { PATH: process.env.PATH, DATA_DIR: dataDir }, stdio: "inherit" });
let over = false; child.on("exit", (c) => { console.log("seed exit", c); over = true; });
// wait until seeding has settled its people
while ((await sql<{n:number}>`select count(*) as n from posts`.execute(t.storage.read)).rows[0]!.n === 0) await new Promise((r) => setTimeout(r, 50));
const me = await t.as.human("newcomer"); const other = await t.as.human("second");
let n = 0, worst = 0, fails = 0;
while (!over) {
  const s = performance.now();
  try {
    const { post } = await me.createPost({ title: `Live ${n}` });
    await other.likePost({ id: post.id }); await other.createComment({ id: post.id, body: "hi" });
    const { posts } = await me.listPosts({ limit: 1, cursor: post.id });
    await me.likePost({ id: posts[0]!.id }); await me.createComment({ id: posts[0]!.id, body: "hello" });
    await me.follow({ platform: posts[0]!.platform, author: posts[0]!.author }).catch(() => {});
  } catch (e) { fails++; console.log(String(e)); }
  worst = Math.max(worst, performance.now() - s); n++;
  await new Promise((r) => setTimeout(r, 20));
}
console.log({ rounds: n, worstMs: Math.round(worst), fails });
const q = { likes: `select count(*) n from posts p where like_count <> (select count(*) from post_likes where post_id=p.id)`, comments: `select count(*) n from posts p where comment_count <> (select count(*) from comments where post_id=p.id)`, unread: `select count(*) n from users u where unread <> (select count(*) from notifications where user_id=u.id and id>u.read_upto)`, totals: `select count(*) n from creators c where (post_count, like_count, comment_count) is not ((select count(*) from posts where creator_id=c.id),(select coalesce(sum(like_count),0) from posts where creator_id=c.id),(select coalesce(sum(comment_count),0) from posts where creator_id=c.id))`, posts: `select count(*) n from posts`, live: `select count(*) n from posts where id <> 0 and fragment like '%newcomer%'`, fk: `select count(*) n from pragma_foreign_key_check` };
for (const [k, v] of Object.entries(q)) console.log(k, (await sql<{n:number}>`${sql.raw(v)}`.execute(t.storage.read)).rows[0]!.n);
await t.stop();
