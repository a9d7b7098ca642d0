<?php
/** Database locks: one order for each cart, and one writer for each order. */

defined( '_PS_VERSION_' ) || exit;

/**
 * Runs the work under the lock of that name. Returns null without running it if the lock cannot be acquired. Whoever holds the lock already
 * gets it again.
 *
 * @return mixed
 */
function tillkit_with_lock( string $name, int $seconds, callable $work ) {
	if ( ! tillkit_acquire_lock( $name, $seconds ) ) {
		return null;
	}
	try {
		return $work();
	} finally {
		tillkit_select( "SELECT RELEASE_LOCK('" . tillkit_lock_name( $name ) . "') AS released" );
	}
}

/** The database frees the lock at the latest when the request ends. */
function tillkit_acquire_lock( string $name, int $seconds ): bool {
	$rows = tillkit_select( "SELECT GET_LOCK('" . tillkit_lock_name( $name ) . "', " . $seconds . ') AS acquired' );
	return '1' === (string) ( $rows[0]['acquired'] ?? '' );
}

/** For its holder. The shop connects again when the database has closed the connection, which frees its locks. */
function tillkit_has_lost_lock( string $name ): bool {
	$rows = tillkit_select( "SELECT IS_USED_LOCK('" . tillkit_lock_name( $name ) . "') = CONNECTION_ID() AS held" );
	return '1' !== (string) ( $rows[0]['held'] ?? '' );
}

/** Locks belong to the whole server, on which other shops may have orders of the same numbers. MySQL allows 64 characters. */
function tillkit_lock_name( string $name ): string {
	return 'tillkit_' . md5( _DB_NAME_ . ' ' . _DB_PREFIX_ . ' ' . $name );
}

/**
 * Reads the database itself: the shop may answer a query from its cache, and a lock from a cache locks nothing. The methods of the shop that
 * read one row add a LIMIT to the statement.
 *
 * @return array<int,array<string,string|null>>
 */
function tillkit_select( string $sql ): array {
	$rows = Db::getInstance()->executeS( $sql, true, false );
	return is_array( $rows ) ? $rows : array();
}

/** @return int The number of rows that changed. */
function tillkit_change_rows( string $sql ): int {
	return Db::getInstance()->execute( $sql, false ) ? (int) Db::getInstance()->Affected_Rows() : 0;
}
