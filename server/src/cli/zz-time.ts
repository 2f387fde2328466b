import Database from "better-sqlite3";
import { openSqlite } from "../storage/sqlite/sqlite.ts";
import { seed } from "./seed/seed.ts";
const t = new Map<string, number>();
const proto = Object.getPrototypeOf(new Database(":memory:").prepare("create table x(a)"));
for (const m of ["run", "all"]) { const was = proto[m]; proto[m] = function (...a: unknown[]) { const s = performance.now(); try { return was.apply(this, a); } finally { const k = this.source.slice(0, 45); t.set(k, (t.get(k) ?? 0) + performance.now() - s); } }; }
const s = await openSqlite(process.argv[2] + "/tandem.db");
const b = performance.now(); await seed(s, { posts: Number(process.argv[3]) }); console.log("seed", performance.now() - b);
await s.close(); console.log("closed", performance.now() - b);
for (const [k, v] of [...t].sort((a, b) => b[1] - a[1]).slice(0, 16)) console.log(Math.round(v), k.replace(/\s+/g, " "));
