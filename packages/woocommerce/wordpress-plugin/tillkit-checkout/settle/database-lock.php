<?php
/** One writer for each order: the database decides who. */

defined( 'ABSPATH' ) || exit;

/**
 * Does the work while nobody else holds the lock of that name; null, and nothing done, when it stays taken.
 *
 * @param string $name    What is locked, for instance an order.
 * @param int    $seconds How long to wait for it.
 */
function tillkit_locked( string $name, int $seconds, callable $work ) {
	$release = tillkit_take_database_lock( $name, $seconds );
	if ( null === $release ) {
		return null;
	}
	try {
		return $work();
	} finally {
		$release();
	}
}

/** @return callable|null What gives the lock back. */
function tillkit_take_database_lock( string $name, int $seconds ): ?callable {
	global $wpdb;
	$lock = 'tillkit_' . $wpdb->prefix . $name;
	// MySQL takes 64 characters.
	$lock = strlen( $lock ) > 64 ? 'tillkit_' . md5( $lock ) : $lock;
	// With replicas behind it, the lock and what is read under it must be the primary's.
	if ( method_exists( $wpdb, 'send_reads_to_masters' ) ) {
		$wpdb->send_reads_to_masters();
	}
	$hidden = $wpdb->suppress_errors( true );
	$got    = $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, %d)', $lock, $seconds ) );
	$wpdb->suppress_errors( $hidden );
	if ( '1' === (string) $got ) {
		return static function () use ( $wpdb, $lock ): void {
			$wpdb->get_var( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', $lock ) );
		};
	}
	// 0: somebody holds it. Anything else: this database has no such locks; WordPress on SQLite answers "1=1" and locks nothing.
	return '0' === (string) $got ? null : tillkit_take_row_lock( $name, $seconds );
}
