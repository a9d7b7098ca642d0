<?php
/** The database of the shop: a file, so that several processes share one shop. Every change is atomic, like an SQL statement. */

final class Shop_State {
	/** @var string */
	public static $folder = '';

	public static function open(): void {
		self::$folder = sys_get_temp_dir() . '/tillkit-shop-' . bin2hex( random_bytes( 6 ) );
		mkdir( self::$folder );
		file_put_contents( self::$folder . '/state', serialize( array( 'options' => array(), 'orders' => array() ) ) );
	}

	public static function close(): void {
		array_map( 'unlink', glob( self::$folder . '/*' ) );
		rmdir( self::$folder );
	}

	public static function read(): array {
		return self::change(
			static function ( array $state ): array {
				return $state;
			}
		);
	}

	public static function change( callable $change ): array {
		$file = fopen( self::$folder . '/state', 'c+' );
		flock( $file, LOCK_EX );
		$state = self::change_site( $change, unserialize( stream_get_contents( $file ) ) );
		ftruncate( $file, 0 );
		rewind( $file );
		fwrite( $file, serialize( $state ) );
		fclose( $file );
		return self::site_view( $state );
	}

	/** Applies a change to the current site. In a multisite network each site has its own options. */
	private static function change_site( callable $change, array $state ): array {
		$changed            = $change( self::site_view( $state ) );
		$options            = $changed['options'];
		$changed['options'] = $state['options'];

		$changed[ self::options_key() ] = $options;
		return $changed;
	}

	/** The state as the current site sees it: with its own options under the key `options`. */
	private static function site_view( array $state ): array {
		return array( 'options' => $state[ self::options_key() ] ?? array() ) + $state;
	}

	/** The key of the options of the current site. */
	private static function options_key(): string {
		return 1 === Stubs::$site ? 'options' : 'options of site ' . Stubs::$site;
	}
}
