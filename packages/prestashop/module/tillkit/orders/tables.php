<?php
/** The tables of the module. `tillkit_order` has one row for all orders of one cart, under the id of the first. */

defined( '_PS_VERSION_' ) || exit;

/** @return array<string,string> Name => columns. Ids that two simultaneous calls would both make are made of what the calls are about. */
function tillkit_tables(): array {
	return array(
		'tillkit_order'    => '`id_order` INT UNSIGNED NOT NULL, `id_cart` INT UNSIGNED NOT NULL, `order_key` VARCHAR(64) NOT NULL, `payment_id` VARCHAR(64) NULL,
			`transaction_id` VARCHAR(191) NOT NULL DEFAULT \'\', `is_recorded` TINYINT NOT NULL DEFAULT 0, `decision` VARCHAR(64) NOT NULL DEFAULT \'\', `facts` TEXT NOT NULL, PRIMARY KEY (`id_order`)',
		'tillkit_withheld' => '`id_withheld` CHAR(32) NOT NULL, `id_cart` INT UNSIGNED NOT NULL, `id_voucher` INT UNSIGNED NOT NULL DEFAULT 0, `mail` MEDIUMTEXT NOT NULL,
			PRIMARY KEY (`id_withheld`)',
		'tillkit_note'     => '`id_note` CHAR(32) NOT NULL, `id_order` INT UNSIGNED NOT NULL, `at` INT UNSIGNED NOT NULL, `text` TEXT NOT NULL, PRIMARY KEY (`id_note`)',
		'tillkit_refund'   => '`id_refund` CHAR(32) NOT NULL, `id_order` INT UNSIGNED NOT NULL, `refund` VARCHAR(191) NOT NULL, `refund_key` VARCHAR(191) NOT NULL,
			`amount` DECIMAL(20,6) NOT NULL, `at` INT UNSIGNED NOT NULL, PRIMARY KEY (`id_refund`)',
		'tillkit_memory'   => '`name` VARCHAR(64) NOT NULL, `text` VARCHAR(191) NOT NULL, `until` INT UNSIGNED NOT NULL, PRIMARY KEY (`name`)',
	);
}

function tillkit_create_tables(): bool {
	foreach ( tillkit_tables() as $name => $columns ) {
		if ( ! Db::getInstance()->execute( 'CREATE TABLE IF NOT EXISTS `' . _DB_PREFIX_ . "$name` ($columns) ENGINE=" . _MYSQL_ENGINE_ . ' DEFAULT CHARSET=utf8mb4', false ) ) {
			return false;
		}
	}
	return true;
}

/** A text as a value of a statement. */
function tillkit_sql( string $text ): string {
	return "'" . Db::getInstance()->escape( $text, true ) . "'";
}
