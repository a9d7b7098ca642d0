<?php
/** WordPress's options and transients, which are in the database of the shop, and its caches, whose clearing is only recorded. */

function get_option( string $name, $default = false ) {
	return Shop_State::$folder === '' ? $default : ( Shop_State::read()['options'][ $name ] ?? $default );
}

/** As in the database: no plugin has changed them. */
function wp_load_alloptions(): array {
	return Shop_State::read()['options'] ?? array();
}

function update_option( string $name, $value, $autoload = null ): void {
	Shop_State::change(
		static function ( array $state ) use ( $name, $value ): array {
			$state['options'][ $name ] = $value;
			return $state;
		}
	);
}

function delete_option( string $name ): void {
	Shop_State::change(
		static function ( array $state ) use ( $name ): array {
			unset( $state['options'][ $name ] );
			return $state;
		}
	);
}

function set_transient( string $name, $value, int $seconds ): void {
	update_option( "_transient_$name", $value );
	update_option( "_transient_timeout_$name", time() + $seconds );
}

function get_transient( string $name ) {
	return get_option( "_transient_timeout_$name", 0 ) > time() ? get_option( "_transient_$name" ) : false;
}

function delete_transient( string $name ): void {
	delete_option( "_transient_$name" );
	delete_option( "_transient_timeout_$name" );
}

function wp_cache_delete( $key, string $group = '' ): void {
	Stubs::$cleared[] = "$group:$key";
}

function clean_post_cache( int $id ): void {
	Stubs::$cleared[] = "post:$id";
}

function update_comment_meta( int $id, string $key, $value ): void {
	update_option( "_comment_{$id}_$key", $value );
}

function get_comment_meta( int $id, string $key, bool $single ) {
	return get_option( "_comment_{$id}_$key", '' );
}
