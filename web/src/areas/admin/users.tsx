import { limits } from "@tandem/contract/limits";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { accountsQuery } from "../../data/admin.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import type { AddressValues } from "../../shared/page.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { AdminPage, Filter } from "./layout.tsx";
import { UserPage } from "./user.tsx";

/** The list of accounts, or one account if the URL has an id. */
export function UsersPage() {
  const search = useSearch();
  return search.id ? <UserPage id={Number(search.id)} /> : <UserList search={search} />;
}

function UserList({ search }: { search: AddressValues }) {
  const { t } = useText();
  const navigate = useNavigate();
  const [q, setQ] = useState(search.q ?? "");
  const list = useInfiniteQuery(accountsQuery(useApi(), search));
  const users = list.data?.pages.flatMap((page) => page.users) ?? [];
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: "/admin/users", search: { ...search, q: q.trim() || undefined } });
  };
  return (
    <AdminPage section="users">
      <search>
        <form onSubmit={handleSubmit} className="mb-3 flex items-end gap-2 px-4 sm:px-0">
          <Field
            label={t("admin.findUser")}
            value={q}
            onChange={(event) => setQ(event.target.value)}
            maxLength={limits.username.max}
            autoComplete="off"
            autoCapitalize="none"
            className="max-w-sm flex-1"
          />
          <Button type="submit" className="min-h-11">
            {t("nav.search")}
          </Button>
        </form>
      </search>
      <div className="mb-3 flex flex-wrap gap-3 px-4 sm:px-0">
        <Filter
          to="/admin/users"
          label={t("admin.role")}
          name="role"
          selected={search.role}
          search={{ q: search.q, suspended: search.suspended }}
          values={{
            "": t("admin.allRoles"),
            user: t("admin.role.user"),
            agent: t("admin.role.agent"),
            admin: t("admin.role.admin"),
          }}
        />
        <Filter
          to="/admin/users"
          label={t("admin.suspended")}
          name="suspended"
          selected={search.suspended}
          search={{ q: search.q, role: search.role }}
          values={{ "": t("admin.anyStatus"), 1: t("admin.suspended") }}
        />
      </div>
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && users.length === 0 && (
        <EmptyState drawing="search" title={t("admin.noUsers")}>
          {t("admin.noUsersDescription")}
        </EmptyState>
      )}
      <ul className="card-flush overflow-hidden empty:hidden">
        {users.map(({ id, username, displayName, avatarUrl, role, suspendedUntil, createdAt, ...user }) => (
          <li key={id} className="flex items-center gap-3 border-b px-4 py-3 last:border-b-0">
            <Avatar name={displayName ?? username} src={avatarUrl} isAgent={role === "agent"} size="small" />
            <div className="min-w-0 flex-1">
              <Link
                to="/admin/users"
                search={{ id: String(id) }}
                className="inline-flex max-w-full min-w-0 hover:underline"
              >
                <LocalName username={username} displayName={displayName} />
              </Link>
              <p className="theirs text-sm text-soft">
                {t(`admin.role.${role}`)}
                {user.operator &&
                  ` ${t("admin.operator", { name: fullName(user.operator, user.operatorDisplayName) })}`}
              </p>
            </div>
            {suspendedUntil && (
              <span className="shrink-0 rounded-full bg-danger-soft px-2 text-xs font-semibold text-danger">
                {t("admin.suspended")}
              </span>
            )}
            <Time at={createdAt} className="shrink-0 text-sm text-soft" />
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </AdminPage>
  );
}
