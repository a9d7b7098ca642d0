<?php
/** Database locks: one writer for each order. */

defined( 'ABSPATH' ) || exit;

/**
 * Runs the work under the lock of that name. Returns null without running it if the lock cannot be acquired.
 *
 * @param string $name    The name of the lock, for instance an order id.
 * @param int    $seconds How long to wait for the lock.
 */
function tillkit_with_lock( string $name, int $seconds, callable $work ) {
	$release = tillkit_acquire_database_lock( $name, $seconds );
	if ( null === $release ) {
		return null;
	}
	try {
		return $work();
	} finally {
		$release();
	}
}

/** @return callable|null Releases the lock. */
function tillkit_acquire_database_lock( string $name, int $seconds ): ?callable {
	global $wpdb;
	$lock = 'tillkit_' . $wpdb->prefix . $name;
	// MySQL allows 64 characters.
	$lock = strlen( $lock ) > 64 ? 'tillkit_' . md5( $lock ) : $lock;
	// If the database has replicas, the lock and the reads under the lock must use the primary.
	if ( method_exists( $wpdb, 'send_reads_to_masters' ) ) {
		$wpdb->send_reads_to_masters();
	}
	$suppressed_before = $wpdb->suppress_errors( true );
	$result            = $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, %d)', $lock, $seconds ) );
	$wpdb->suppress_errors( $suppressed_before );
	if ( '1' === (string) $result ) {
		return static function () use ( $wpdb, $lock ): void {
			$wpdb->get_var( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', $lock ) );
		};
	}
	// 0: another connection holds the lock. Other values: the database has no named locks; WordPress on SQLite returns "1=1".
	return '0' === (string) $result ? null : tillkit_acquire_row_lock( $name, $seconds );
}
