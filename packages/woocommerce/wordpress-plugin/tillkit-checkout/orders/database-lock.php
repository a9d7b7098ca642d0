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
	$lock = tillkit_acquire_database_lock( $name, $seconds );
	if ( null === $lock ) {
		return null;
	}
	$GLOBALS['tillkit_locks'][ $name ] = $lock['is_held'];
	try {
		return $work();
	} finally {
		unset( $GLOBALS['tillkit_locks'][ $name ] );
		$lock['release']();
	}
}

/** False for a lock that was never acquired. */
function tillkit_has_lost_lock( string $name ): bool {
	$is_held = $GLOBALS['tillkit_locks'][ $name ] ?? null;
	return null !== $is_held && ! $is_held();
}

/** @return array{is_held:callable,release:callable}|null */
function tillkit_acquire_database_lock( string $name, int $seconds ): ?array {
	global $wpdb;
	$lock = 'tillkit_' . $wpdb->prefix . $name;
	// MySQL allows 64 characters.
	$lock = strlen( $lock ) > 64 ? 'tillkit_' . md5( $lock ) : $lock;
	// If the database has replicas, the lock and the reads under the lock must use the primary.
	if ( method_exists( $wpdb, 'send_reads_to_masters' ) ) {
		$wpdb->send_reads_to_masters();
	}
	// WordPress connects again when the database has closed the connection, which frees its locks.
	$is_held = static function () use ( $wpdb, $lock ): bool {
		return '1' === (string) $wpdb->get_var( $wpdb->prepare( 'SELECT IS_USED_LOCK(%s) = CONNECTION_ID()', $lock ) );
	};

	$suppressed_before = $wpdb->suppress_errors( true );
	$result            = $wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, %d)', $lock, $seconds ) );
	$is_acquired       = '1' === (string) $result && $is_held();
	$wpdb->suppress_errors( $suppressed_before );
	if ( $is_acquired ) {
		$release = static function () use ( $wpdb, $lock ): void {
			$wpdb->get_var( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', $lock ) );
		};
		return compact( 'is_held', 'release' );
	}
	// 0: another connection holds the lock. Other values: the database has no named locks; WordPress on SQLite returns "1=1". Nor has one whose
	// proxy sends each statement over another connection.
	return '0' === (string) $result ? null : tillkit_acquire_row_lock( $name, $seconds );
}
